/** How many links whose text is still needed each segment of the log holds. By number, since it changes with every link. */
export class NeededTexts {
  private readonly counts: (number | undefined)[] = []

  of(segment: number): number {
    return this.counts[segment] ?? 0
  }

  change(segment: number, by: number): void {
    this.counts[segment] = (this.counts[segment] ?? 0) + by
  }

  /** The segment is gone. */
  delete(segment: number): void {
    this.counts[segment] = undefined
  }

  /** No text is needed any more. */
  clear(): void {
    for (const [segment] of this.all()) this.counts[segment] = 0
  }

  /** The segments that have, or had, such links. */
  *all(): Iterable<readonly [segment: number, links: number]> {
    for (const [segment, links] of this.counts.entries()) if (links !== undefined) yield [segment, links]
  }
}
