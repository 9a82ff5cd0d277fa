import Type, { type Static } from 'typebox'
import { deskHost, Failure } from './host-shapes.ts'
import { PageLine, place } from './page-shapes.ts'
import { answer, choice, count, flag, list, number, optional, text } from './shapes.ts'

const LINES = [
  ...(['state', 'why', 'advice', 'target', 'queue', 'again', 'attempts', 'ended'] as const),
  ...(['from', 'page', 'title', 'archive', 'settings', 'robots', 'host'] as const),
] as const

const Story = answer('Story', 'Everything known about one URL.', {
  url: text('The canonical form.'),
  state: choice(
    ['unknown', 'waiting', 'leased', 'done', 'redirected', 'refused', 'failed', 'held'],
    'unknown: no page has linked to it so far. leased: it is being fetched now. held: a setting keeps it out.',
  ),
  reason: optional(text('Why there is no page: the name of the reason.')),
  sentence: optional(text('What the reason means, in the language of Accept-Language.')),
  advice: optional(text('What to do about it.')),
  place: optional(count('While it waits: how many links of its host come before it.')),
  isExact: optional(flag('Whether the place is exact; otherwise there are at least as many.')),
  readyInMs: optional(number('How long until it can be fetched at the earliest.')),
  againInMs: optional(number('Of a page that is visited again: how long until then; 0: it is due.')),
  redirectsTo: optional(text('Where its newest answer redirects to.')),
  heldBy: optional(text('Why the current settings keep it out: scope, exclude …')),
  setting: optional(text('The setting behind that, as on the command line: --exclude *.pdf.')),
  robots: Type.Object(
    {
      kind: choice(
        ['unknown', 'allowed', 'refused'],
        'unknown: robots.txt has not been fetched, or more than a day ago.',
      ),
      line: optional(count('The deciding line, counted from 1; missing when none applies.')),
      crawlDelaySeconds: optional(number('As written.')),
      text: optional(text('The deciding line.')),
    },
    { description: 'What robots.txt says about it.' },
  ),
  host: optional(answer('StoryHost', 'The host of a URL.', deskHost)),
  from: optional(text('The page on which it was first found; missing for a seed, and when unknown.')),
  hops: optional(count('Links from a seed.')),
  attempts: optional(count('How often it was tried.')),
  page: optional(PageLine),
  answer: optional(answer('Place', 'Where an answer is in the archive.', place)),
  failure: optional(Failure),
})

export const StoryWithLines = answer('StoryWithLines', 'The story of a URL, as data and as text.', {
  story: Story,
  lines: list(
    answer('StoryLine', 'A line of the story.', {
      about: choice(LINES, 'What it is about, in any language.'),
      title: text('What it is about.'),
      text: text('What there is to say.'),
    }),
    'What escalona explain prints, in the language of Accept-Language.',
  ),
})
export type StoryWithLines = Static<typeof StoryWithLines>
