const WAIT_MS = 2
const bell = new Int32Array(new SharedArrayBuffer(4))

/** Tries again, after a short wait, as long as a file that does not block says that it is not ready. */
export function untilReady<T>(attempt: () => T): T {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(bell, 0, 0, WAIT_MS)
    }
  }
}
