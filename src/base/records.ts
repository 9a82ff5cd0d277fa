/** The number of a record, from 1 up. 0 means "none", so fresh memory is already in order. */
export type RecordId = number

const PAGE_BITS = 13
const PAGE_RECORDS = 1 << PAGE_BITS
const PAGE_MASK = PAGE_RECORDS - 1

/**
 * Records of a fixed number of 32-bit words, in pages: growing copies nothing, and no single array comes near the limits
 * of the platform. A record's words lie side by side, so one memory wait brings them all.
 *
 * Hot code reads a record as `records.page(id)[records.at(id) + FIELD]`.
 */
export class Records {
  readonly words: number
  /** Records ever allotted; ids run from 1 to this. */
  last: RecordId = 0
  private readonly pages: Int32Array[] = []

  constructor(words: number) {
    this.words = words
  }

  page(id: RecordId): Int32Array {
    return this.pages[id >>> PAGE_BITS]!
  }

  at(id: RecordId): number {
    return Math.imul(id & PAGE_MASK, this.words)
  }

  /** The next new record. Its words hold what they held before {@link forget}, or zeros. */
  allot(): RecordId {
    const id = ++this.last
    if (id >>> PAGE_BITS === this.pages.length) this.pages.push(new Int32Array(PAGE_RECORDS * this.words))
    return id
  }

  /** Forgets all records. Gives back all pages but the first `keptRecords` need, and at least one. */
  forget(keptRecords = 0): void {
    this.last = 0
    this.pages.length = Math.min(this.pages.length, (keptRecords >>> PAGE_BITS) + 1)
  }

  get bytes(): number {
    return this.pages.length * PAGE_RECORDS * this.words * 4
  }
}
