/**
 * Runs tasks in order of arrival, at most `mostAtOnce` at once, starting at most `mostPerTurn` per turn of the event
 * loop.
 */
export class Turns {
  private readonly mostAtOnce: number
  private readonly mostPerTurn: number
  private open = 0
  private begun = 0
  private readonly waiting: (() => Promise<void>)[] = []

  constructor(mostAtOnce: number, mostPerTurn: number) {
    this.mostAtOnce = mostAtOnce
    this.mostPerTurn = mostPerTurn
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => work().then(resolve, reject))
      this.begin()
    })
  }

  private begin(): void {
    while (this.waiting.length > 0 && this.open < this.mostAtOnce && this.begun < this.mostPerTurn) {
      if (this.begun++ === 0) setImmediate(() => this.nextTurn())
      this.open++
      void this.waiting.shift()!().finally(() => {
        this.open--
        this.begin()
      })
    }
  }

  private nextTurn(): void {
    this.begun = 0
    this.begin()
  }
}
