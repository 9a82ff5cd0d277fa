// Serves files on loopback, pieces of them too: a player reads a WACZ piece by piece.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' }

/** `pathOf(urlPath)`: the file, or undefined. Returns the origin; ends with the context. */
export async function serveFiles(context, pathOf) {
  const server = createServer((request, response) => {
    const path = pathOf(new URL(request.url, 'http://localhost').pathname)
    const size = path && statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) return response.writeHead(404).end()
    const headers = { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', 'Accept-Ranges': 'bytes' }
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
    const start = range === null ? 0 : range[1] === '' ? size - Number(range[2]) : Number(range[1])
    const end = range === null || range[1] === '' || range[2] === '' ? size - 1 : Math.min(Number(range[2]), size - 1)
    response.writeHead(range === null ? 200 : 206, {
      ...headers,
      'Content-Length': end - start + 1,
      ...(range !== null && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    })
    if (request.method === 'HEAD') response.end()
    else createReadStream(path, { start, end }).pipe(response)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  context.onClose(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}
