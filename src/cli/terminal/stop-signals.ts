/** The signals by which people and systems ask a long run to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** As shells report a process that a signal ended: 128 plus the signal's number. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** The first signal asks for an orderly end; the second ends the process at once, as if it were not handled. */
export class StopSignals {
  /** The exit code for the process; undefined until a signal arrives. */
  exitCode: number | undefined
  private readonly onSignal: (signal: NodeJS.Signals) => void

  constructor(stop: () => void) {
    this.onSignal = signal => {
      if (this.exitCode === undefined) {
        this.exitCode = EXIT_CODES[signal]!
        stop()
      } else {
        this.close()
        process.kill(process.pid, signal)
      }
    }
    for (const signal of SIGNALS) process.on(signal, this.onSignal)
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.onSignal)
  }
}
