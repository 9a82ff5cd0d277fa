import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Written } from './zip-parts.ts'

/**
 * The version whose form is written. Players look for the index where 1.1.1 puts it: in the form of 1.2.0, replayweb.page found
 * none of the pages.
 */
const WACZ_VERSION = '1.1.1'

export interface PackageFacts {
  readonly title: string
  readonly software: string
  readonly createdMs: number
  /** WARC files that are not packed and hold the bodies of revisits that are. */
  readonly originalsElsewhere: readonly string[]
}

/** `datapackage.json`: what a WACZ consists of, with the SHA-256 of every file. */
export function datapackage(resources: readonly Written[], facts: PackageFacts): Buffer {
  const { title, software, createdMs, originalsElsewhere } = facts
  return json({
    profile: 'data-package',
    title,
    created: new Date(createdMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    wacz_version: WACZ_VERSION,
    software,
    ...(originalsElsewhere.length > 0 && { originalsElsewhere }),
    resources: resources.map(({ path, bytes, sha256 }) => ({
      // The schema of data packages allows lower case only.
      name: posix.basename(path).toLowerCase(),
      path,
      hash: `sha256:${sha256}`,
      bytes,
    })),
  })
}

/** `datapackage-digest.json`: the SHA-256 of `datapackage.json`. */
export function datapackageDigest(datapackage: Uint8Array): Buffer {
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`
  return json({ path: 'datapackage.json', hash })
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
