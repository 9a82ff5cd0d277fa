import { RemoteDesk } from '../view/process/process-source.ts'

/** Resumes a crawl that another process runs, if it is paused. Returns that process's id; undefined: nothing was resumed. */
export async function resumeRunning(folder: string): Promise<number | undefined> {
  const desk = await RemoteDesk.of(folder)
  if (desk === undefined) return undefined
  try {
    const { running } = await desk.status()
    if (running?.state !== 'paused') return undefined
    await desk.act({ kind: 'resume' })
    return running.pid
  } finally {
    desk.close()
  }
}
