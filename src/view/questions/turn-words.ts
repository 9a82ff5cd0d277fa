import { catalogue } from '../../base/words/language.ts'
import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import { shareOf } from '../../frontier/importance.ts'
import type { ListedHost } from './host-shapes.ts'

const words = catalogue({
  en: {
    turns: (received: string, count: string, isOne: boolean, share: string) =>
      `has received ${received} in ${count} ${isOne ? 'turn' : 'turns'}; its next turn comes when no other host that can be asked has more than ${share} per turn, or earlier: one turn in eight goes to all hosts in turn`,
  },
  pt: {
    turns: (received, count, isOne, share) =>
      `recebeu ${received} em ${count} ${isOne ? 'vez' : 'vezes'}; a próxima vez dele vem quando nenhum outro host que possa ser consultado tiver mais de ${share} por vez, ou antes: uma em cada oito vezes é de todos os hosts em rodízio`,
  },
})

/** With the strategy `important`: what a host has received, and when its next turn comes; undefined with the others. */
export function turnText({
  received,
  turns,
  isByShare,
}: Pick<ListedHost, 'received' | 'turns' | 'isByShare'>): string | undefined {
  if (!isByShare) return undefined
  return words().turns(
    shownImportance(received),
    shownCount(turns),
    turns === 1,
    shownImportance(shareOf(received, turns)),
  )
}

/** With three digits that count, and at most eight after the point. */
export function shownImportance(importance: number): string {
  const rounded = Number(importance.toPrecision(3))
  const [, decimals = ''] = rounded.toFixed(8).replace(/0+$/, '').split('.')
  return decimals === '' ? shownCount(rounded) : shownDecimal(rounded, decimals.length)
}
