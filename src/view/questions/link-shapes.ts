import { LINK_ORIGINS, LINK_STATES } from '../../settings/link-choice.ts'
import { answer, choice, count, flag, list, optional, request, type TypeOf, text, time } from './shape.ts'

/** Which links: the fields of a `LinkChoice`. */
export const linkChoice = {
  states: optional(
    list(
      choice(LINK_STATES, ''),
      'What became of them: done (archived), failed (an error, after all retries), refused (by the host or its robots.txt), held (kept out by a setting), leased (being fetched), waiting. Default: all.',
      { maxItems: LINK_STATES.length },
    ),
  ),
  reason: optional(text('The name of a reason: timeout; * matches any text: status-4*.', { maxLength: 300 })),
  origin: optional(choice(LINK_ORIGINS, 'seed: seeds, and what they redirected to; found: all others.')),
  host: optional(
    text('The name of a host, with a port if it has one; * matches any text: *.example.org.', { maxLength: 300 }),
  ),
  q: optional(text('Part of the URL, in any case.', { maxLength: 1000 })),
}

export const LinkChoiceRequest = request('LinkChoice', 'Which links.', linkChoice)

/** What links can be sorted by. */
export const LINK_ORDERS = ['known', 'url', 'host', 'reason', 'attempts', 'hops'] as const
export type LinkOrder = (typeof LINK_ORDERS)[number]

export const LinkList = answer('LinkList', 'Part of the links that were chosen.', {
  items: list(
    answer('ListedLink', 'A link and what became of it.', {
      url: text('Canonical.'),
      state: choice(LINK_STATES, 'What became of it.'),
      reason: optional(text('Why there is no page: timeout, status-404.')),
      from: optional(text('The page on which it was first found; missing for a seed.')),
      hops: count('Links from a seed; 0 for a seed.'),
      attempts: optional(count('How many times it was requested.')),
      status: optional(count('Of an archived page: HTTP status.')),
      title: optional(text('Of an archived page: its title.')),
      bytes: optional(count('Of an archived page: size of the stored body.')),
      dateMs: optional(time('Of an archived page: when it was requested.')),
    }),
    'In the order that was asked for.',
  ),
  total: count('How many were chosen; while isComplete is false, how many were found so far.'),
  reachable: count('How many of them can be asked for by offset.'),
  isComplete: flag('All links have been looked at; otherwise more may be found in a moment.'),
})
export type LinkList = TypeOf<typeof LinkList>
