import { catalogue } from '../../base/words/language.ts'
import { counted, shownCount, shownDuration } from '../../base/words/quantity.ts'
import type { FrontierCounts, Outlook } from '../../frontier/frontier.ts'

/** `6 pages are planned, the first in 25 h`; empty when none is planned. */
export function plannedVisits(
  { planned, due }: Pick<FrontierCounts, 'planned' | 'due'>,
  { againInMs }: Pick<Outlook, 'againInMs'>,
): string {
  const { pages, someDue, firstDue, firstIn } = words()
  if (planned === 0) return ''
  if (due > 0) return pages(planned) + someDue(due)
  if (againInMs === undefined) return pages(planned)
  return pages(planned) + (againInMs === 0 ? firstDue : firstIn(shownDuration(againInMs)))
}

const words = catalogue({
  en: {
    pages: (count: number) => `${counted(count, 'page is', 'pages are')} planned`,
    someDue: (count: number) => `, ${shownCount(count)} of them due now`,
    firstDue: ', the first is due now',
    firstIn: (time: string) => `, the first in ${time}`,
  },
  pt: {
    pages: count => counted(count, 'página planejada', 'páginas planejadas'),
    someDue: count => `, ${shownCount(count)} já na hora`,
    firstDue: ', a primeira já está na hora',
    firstIn: time => `, a primeira em ${time}`,
  },
})
