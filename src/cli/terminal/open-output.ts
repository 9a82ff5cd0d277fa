import { OutputFile } from '../../base/files/output-file.ts'
import { Signals } from './signals.ts'

export interface OpenOutput {
  readonly output: OutputFile
  readonly signals: Signals
}

/** Opens an output file that a signal removes while it is unfinished, however early the signal arrives. Both are to be closed. */
export function openOutput(path: string, isHeldBack = false): OpenOutput {
  let output: OutputFile | undefined
  const signals = new Signals(() => output?.abandon())
  try {
    output = new OutputFile(path, isHeldBack)
    return { output, signals }
  } finally {
    if (!output?.isBesideItsPlace) signals.close()
  }
}
