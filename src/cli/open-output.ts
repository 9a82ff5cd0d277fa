import { OutputFile } from '../base/files/output-file.ts'
import { Signals } from './signals.ts'

/** Opens an output file that a signal removes while it is unfinished, however early the signal arrives. Both are to be closed. */
export function openOutput(path: string): { readonly output: OutputFile; readonly signals: Signals } {
  let output: OutputFile | undefined
  const signals = new Signals(() => output?.abandon())
  try {
    output = new OutputFile(path)
    return { output, signals }
  } finally {
    if (!output?.isBesideItsPlace) signals.close()
  }
}
