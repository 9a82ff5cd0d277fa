/** What all notes together may weigh; what one weighs besides its texts. */
const MOST_BYTES = 128 * 2 ** 20
const NOTE_BYTES = 200

interface Note {
  readonly bytes: Uint8Array
  readonly untilMs: number
  readonly weight: number
}

/** What is kept about hosts for a while, in memory. The oldest make room. */
export class Notes {
  private readonly notes = new Map<string, Note>()
  private weight = 0
  private readonly mostBytes: number

  constructor(mostBytes = MOST_BYTES) {
    this.mostBytes = mostBytes
  }

  set(host: string, key: string, bytes: Uint8Array, untilMs: number): void {
    const name = nameOf(host, key)
    this.drop(name)
    const weight = bytes.length + 2 * name.length + NOTE_BYTES
    this.notes.set(name, { bytes: bytes.slice(), untilMs, weight })
    this.weight += weight
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
    this.weight -= this.notes.get(name)?.weight ?? 0
    this.notes.delete(name)
  }
}

function nameOf(host: string, key: string): string {
  return `${host.length} ${host}${key}`
}
