import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { RequestContext } from './request-context.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const compress = promisify(brotliCompress)

interface PageFile {
  readonly bytes: Buffer
  readonly mediaType: string
  readonly etag: string
  /** Made on demand. */
  compressed?: Promise<Buffer>
}

/** The files of the page, by name. They are few and small, and stay in memory: no request ever names a file on disk. */
export class PageFiles {
  private readonly files = new Map<string, PageFile>()

  constructor() {
    // The page is built into this folder beside the compiled code.
    const folder = new URL('./page/', import.meta.url)
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const mediaType = MEDIA_TYPES[extname(name)]
      if (mediaType === undefined) continue
      const bytes = readFileSync(new URL(name, folder))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      this.files.set(name, { bytes, mediaType, etag })
    }
  }

  async answer(context: RequestContext, name: string): Promise<Response | undefined> {
    const file = this.files.get(name)
    if (file === undefined) return undefined
    const { bytes, mediaType, etag } = file
    const headers = { 'cache-control': 'no-cache', etag, vary: 'accept-encoding' }
    if (context.req.header('if-none-match') === etag) return context.body(null, 304, headers)
    const isBrotli = /\bbr\b/.test(context.req.header('accept-encoding') ?? '')
    if (!isBrotli) return context.body(new Uint8Array(bytes), 200, { ...headers, 'content-type': mediaType })
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    file.compressed ??= compress(bytes, { params })
    const body = new Uint8Array(await file.compressed)
    return context.body(body, 200, { ...headers, 'content-type': mediaType, 'content-encoding': 'br' })
  }
}
