// Loaded before the command: a worker thread ends, or runs out of memory, when the answer to a deadly path comes. It stands for
// a page that our parser, or Node itself, can't survive; none is known.
import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  subscribe('undici:request:headers', message => {
    const { path } = (message as { request: { path: string } }).request
    if (path.startsWith('/deadly/exit')) process.exit(7)
    if (path.startsWith('/deadly/memory')) fillMemory()
  })
}

function fillMemory(): void {
  const kept: unknown[] = []
  // Piece by piece: one huge piece would end the whole process, and Node offers no way around that.
  for (;;) kept.push(new Array(2000).fill(kept.length + 0.5))
}
