import { answer, choice, count, flag, list, optional, type TypeOf, text, time } from '../../view/questions/shape.ts'

const visit = {
  dateMs: time('When it was requested.'),
  status: count('HTTP status.'),
  isSame: flag('Nothing had changed since an earlier visit, by what the server said or by its bytes.'),
  isBrokenOff: flag('The server did not send all of it.'),
}

const VisitLine = answer('Visit', 'An archived answer of a URL.', visit)

export const Visits = answer('Visits', 'The archived visits of a URL.', {
  url: text('Canonical.'),
  items: list(VisitLine, 'Oldest first; at most 2,000.'),
  isCut: flag('There are older ones.'),
})
export type Visits = TypeOf<typeof Visits>

const ComparedVisit = answer('ComparedVisit', 'A visit that was compared.', {
  ...visit,
  title: text('May be empty.'),
  words: count('Words of visible text.'),
})

const Piece = answer('Piece', 'Part of a line.', {
  text: text('As it stands in the text.'),
  isChanged: flag('The other side does not have it.'),
})
const pieces = (description: string) => optional(list(Piece, description))

const Row = answer('DifferenceRow', 'A line of both texts, side by side.', {
  kind: choice(['same', 'changed', 'removed', 'added', 'skipped'], 'skipped: same lines that are left out.'),
  before: pieces('The line of the earlier visit, or of both.'),
  after: pieces('The line of the later visit, if it differs.'),
  lines: optional(count('How many lines are left out.')),
})

export const VisitDifference = answer('VisitDifference', 'What changed in the text of a page between two visits.', {
  url: text('Canonical.'),
  from: ComparedVisit,
  to: ComparedVisit,
  rows: list(Row, 'In the order of the text; at most 2,000.'),
  removedWords: count('Words that only the earlier visit has.'),
  addedWords: count('Words that only the later visit has.'),
  isCut: flag('There is more text, or more change, than was compared or is shown.'),
})
export type VisitDifference = TypeOf<typeof VisitDifference>

export const FrameKey = answer('FrameKey', 'A key for a frame.', {
  key: text('Opens archived content under /at/, and nothing else, until the server ends.'),
})
export type FrameKey = TypeOf<typeof FrameKey>

export const FrameView = answer('FrameView', 'What a frame shows.', {
  url: text('Canonical.'),
  dateMs: optional(time('When it was requested; missing when it is not in the archive.')),
  status: optional(count('HTTP status.')),
  mediaType: optional(text('As the server named it.')),
  title: text('May be empty.'),
  isCut: flag('More was sent, or is in the archive, than is shown.'),
})
export type FrameView = TypeOf<typeof FrameView>
