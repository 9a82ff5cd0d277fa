/** The signals by which people and systems end a run, with the exit codes that shells report: 128 plus the signal's number. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** Returns what ends the listening. */
function listen(onSignal: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of Object.keys(EXIT_CODES)) process.on(signal, onSignal)
  return () => {
    for (const signal of Object.keys(EXIT_CODES)) process.off(signal, onSignal)
  }
}

/** Cleans up when a signal such as Ctrl-C arrives, then lets the signal end the process as usual. */
export class Signals {
  readonly close: () => void

  constructor(cleanUp: () => void) {
    this.close = listen(signal => {
      this.close()
      cleanUp()
      process.kill(process.pid, signal)
    })
  }
}

/** The first signal asks for an orderly end; the second ends the process at once, as if it were not handled. */
export class StopSignals {
  /** The exit code for the process; undefined until a signal arrives. */
  exitCode: number | undefined
  readonly close: () => void

  constructor(stop: () => void) {
    this.close = listen(signal => {
      if (this.exitCode === undefined) {
        this.exitCode = EXIT_CODES[signal]!
        stop()
      } else {
        this.close()
        process.kill(process.pid, signal)
      }
    })
  }
}
