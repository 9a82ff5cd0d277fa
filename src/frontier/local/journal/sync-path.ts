import { open } from 'node:fs/promises'

/** Resolves when a file, or the names in a folder, are safe. */
export async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
