import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { uniqueName } from '../../base/random.ts'

/** In a crawl's folder while it runs: its socket, or a file that says where the socket is. */
export const SOCKET_FILE = 'desk.sock'
export const PLACE_FILE = 'desk.json'
/** What a socket's path may take: 107 bytes on Linux, 103 on macOS. */
const MOST_PATH_BYTES = 100

/** Where a crawl's desk listens. */
export interface DeskPlace {
  readonly path: string
  /** After `listen`: nobody else may connect. */
  protect(): void
  /** Removes whatever is left of it. */
  remove(): void
}

/** The socket in the folder itself; on Windows, or when its path would be too long, one elsewhere that `desk.json` names. */
export function deskPlace(folder: string): DeskPlace {
  removeDesk(folder)
  const path = resolve(folder, SOCKET_FILE)
  if (process.platform === 'win32') return named(folder, `\\\\.\\pipe\\escalona-${uniqueName()}`)
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return elsewhere(folder)
  return { path, protect: () => chmodSync(path, 0o600), remove: () => removeDesk(folder) }
}

/** In a folder that only we may enter. */
export function elsewhere(folder: string): DeskPlace {
  const place = named(folder, join(mkdtempSync(join(tmpdir(), 'escalona-desk-')), SOCKET_FILE))
  return { ...place, protect: () => chmodSync(place.path, 0o600) }
}

function named(folder: string, path: string): DeskPlace {
  writeFileSync(join(folder, PLACE_FILE), `${JSON.stringify({ path })}\n`, { mode: 0o600 })
  return { path, protect: () => {}, remove: () => removeDesk(folder) }
}

/** Where the desk of a crawl would be, if it runs. */
export function deskPath(folder: string): string {
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

/** Also what a crawl that was killed left: only whoever has the folder's lock may call this. */
function removeDesk(folder: string): void {
  const path = namedPath(folder)
  // Nothing but what we made ourselves, whatever the file says.
  if (path !== undefined && /[\\/]escalona-desk-\w+[\\/]desk\.sock$/.test(path))
    rmSync(dirname(path), { recursive: true, force: true })
  for (const name of [SOCKET_FILE, PLACE_FILE]) rmSync(join(folder, name), { force: true })
}
