import { ProcessSource } from '../../view/process/process-source.ts'

/** Resumes a crawl that another process runs, if it is paused. Returns that process's id; undefined: nothing was resumed. */
export async function resumeRunning(folder: string): Promise<number | undefined> {
  const source = await ProcessSource.of(folder)
  if (source === undefined) return undefined
  try {
    const { running } = await source.ask('status', {})
    if (running?.state !== 'paused') return undefined
    await source.ask('act', { action: { kind: 'resume' } })
    return running.pid
  } finally {
    source.close()
  }
}
