import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { uniqueName } from '../../base/random.ts'

/** In the folder of a running crawl: its socket, or a file that says where the socket is. */
const SOCKET_FILE = 'run.sock'
const PLACE_FILE = 'run.json'
/** Maximum length of a socket path, with a margin: 107 bytes on Linux, 103 on macOS. */
const MOST_PATH_BYTES = 100

export interface SocketPlace {
  readonly path: string
  /** Call after `listen`: makes the socket accessible to its owner only. */
  protect(): void
  remove(): void
}

/** A socket in the folder itself; on Windows, or when its path would be too long, one elsewhere that `run.json` names. */
export function socketIn(folder: string): SocketPlace {
  removeSocket(folder)
  const path = resolve(folder, SOCKET_FILE)
  if (process.platform === 'win32') return named(folder, `\\\\.\\pipe\\escalona-${uniqueName()}`)
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return socketElsewhere(folder)
  return { path, protect: () => chmodSync(path, 0o600), remove: () => removeSocket(folder) }
}

/** A socket in a temporary folder that only the owner may enter. */
export function socketElsewhere(folder: string): SocketPlace {
  const place = named(folder, join(mkdtempSync(join(tmpdir(), 'escalona-run-')), SOCKET_FILE))
  return { ...place, protect: () => chmodSync(place.path, 0o600) }
}

function named(folder: string, path: string): SocketPlace {
  writeFileSync(join(folder, PLACE_FILE), `${JSON.stringify({ path })}\n`, { mode: 0o600 })
  return { path, protect: () => {}, remove: () => removeSocket(folder) }
}

/** The socket path of a crawl, if it is running. */
export function socketPath(folder: string): string {
  return namedPath(folder) ?? resolve(folder, SOCKET_FILE)
}

function namedPath(folder: string): string | undefined {
  try {
    const { path } = JSON.parse(readFileSync(join(folder, PLACE_FILE), 'utf8')) as { path?: unknown }
    return typeof path === 'string' ? path : undefined
  } catch {
    return undefined
  }
}

/** Also removes what a killed crawl left. Only the holder of the folder's lock may call this. */
function removeSocket(folder: string): void {
  const path = namedPath(folder)
  // Remove only what we created ourselves, whatever the file says.
  if (path !== undefined && /[\\/]escalona-run-\w+[\\/]run\.sock$/.test(path))
    rmSync(dirname(path), { recursive: true, force: true })
  for (const name of [SOCKET_FILE, PLACE_FILE]) rmSync(join(folder, name), { force: true })
}
