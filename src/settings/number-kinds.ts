import { exactDuration, exactSize, readCount, readDuration, readRate, readSize } from '../base/words/quantity.ts'
import type { NumberKind } from './setting-row.ts'

/** No limit, or an empty list, as people write it. It has no other meaning as a pattern or a network. */
export const NONE = 'none'

/** How people write the numbers of a kind. */
interface NumberText {
  /** Undefined when it is not such a number. */
  read(text: string): number | undefined
  /** So that `read` gives back exactly this number. */
  show(value: number): string
  /** Whether fractions are an error. */
  readonly isWhole: boolean
}

export const NUMBER_KINDS: Readonly<Record<NumberKind, NumberText>> = {
  count: { read: readCount, show: String, isWhole: true },
  duration: { read: readDuration, show: exactDuration, isWhole: false },
  size: { read: readSize, show: exactSize, isWhole: true },
  rate: { read: readRate, show: value => `${value}/s`, isWhole: false },
  chance: { read: text => (/^\d*\.?\d+$/.test(text) ? Number(text) : undefined), show: String, isWhole: false },
}
