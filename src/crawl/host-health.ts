/** Links in a row that a host gave no answer to, each after all its retries. */
const MOST_GIVEN_UP = 10

/** Which hosts have stopped answering in the middle of a crawl: trying all that waits there would take days. */
export class HostHealth {
  private readonly givenUpOf = new Map<string, number>()

  answered(host: string): void {
    if (this.givenUpOf.size > 0) this.givenUpOf.delete(host)
  }

  givenUp(host: string): void {
    this.givenUpOf.set(host, (this.givenUpOf.get(host) ?? 0) + 1)
  }

  isDown(host: string): boolean {
    return (this.givenUpOf.get(host) ?? 0) >= MOST_GIVEN_UP
  }
}
