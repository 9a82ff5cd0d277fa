const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Cleans up when a signal such as Ctrl-C arrives, then lets the signal end the process as usual. */
export class Signals {
  private readonly onSignal: (signal: NodeJS.Signals) => void

  constructor(cleanUp: () => void) {
    this.onSignal = signal => {
      this.close()
      cleanUp()
      process.kill(process.pid, signal)
    }
    for (const signal of SIGNALS) process.on(signal, this.onSignal)
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.onSignal)
  }
}
