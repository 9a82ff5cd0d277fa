/** How much memory all notes together may take; what one takes besides its texts. */
const MOST_BYTES = 128 * 2 ** 20
const NOTE_BYTES = 500

interface Note {
  readonly bytes: Uint8Array
  readonly untilMs: number
}

/** Notes about hosts, kept in memory for a while. The oldest make room. */
export class Notes {
  private readonly notes = new Map<string, Note>()
  private weight = 0
  private readonly mostBytes: number

  constructor(mostBytes = MOST_BYTES) {
    this.mostBytes = mostBytes
  }

  set(host: string, key: string, bytes: Uint8Array, untilMs: number): void {
    const name = nameOf(host, key)
    const note = { bytes: bytes.slice(), untilMs }
    this.drop(name)
    this.notes.set(name, note)
    this.weight += weightOf(name, note)
    for (const oldest of this.notes.keys()) {
      if (this.weight <= this.mostBytes) break
      this.drop(oldest)
    }
  }

  get(host: string, key: string, nowMs: number): Uint8Array | undefined {
    const note = this.notes.get(nameOf(host, key))
    return note !== undefined && nowMs < note.untilMs ? note.bytes.slice() : undefined
  }

  clear(): void {
    this.notes.clear()
    this.weight = 0
  }

  private drop(name: string): void {
    const note = this.notes.get(name)
    if (note === undefined) return
    this.weight -= weightOf(name, note)
    this.notes.delete(name)
  }
}

function weightOf(name: string, { bytes }: Note): number {
  return bytes.length + 2 * name.length + NOTE_BYTES
}

function nameOf(host: string, key: string): string {
  return `${host.length} ${host}${key}`
}
