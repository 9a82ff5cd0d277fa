const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Cleans up before a signal such as Ctrl-C ends the process, as it would have done anyway. */
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
