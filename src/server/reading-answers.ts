import type { ReadingRoom } from '../replay/reading-room.ts'
import type { TypeOf } from '../view/questions/shape.ts'
import type { READING } from './api/routes.ts'
import type { ReadingKeys } from './reading-keys.ts'

interface ReadingDeps {
  readonly room: ReadingRoom
  readonly keys: ReadingKeys
}

type Name = keyof typeof READING
type Given<Route extends Name> = TypeOf<(typeof READING)[Route]['asks']>
type Answer<Route extends Name> = TypeOf<(typeof READING)[Route]['answer']>

/** What the routes about archived pages answer; undefined: there is no such page or frame. */
const ANSWERS: {
  readonly [Route in Name]: (given: Given<Route>, deps: ReadingDeps) => Promise<Answer<Route> | undefined>
} = {
  visits: async ({ url }, { room }) => room.visits(url),
  difference: async ({ url, from, to }, { room }) => room.difference(url, from, to),
  frame: async (_, { keys }) => ({ key: keys.make() }),
  frameView: async ({ key }, { keys }) => keys.viewOf(key),
}

export function readingAnswer(name: Name, given: object, deps: ReadingDeps): Promise<object | undefined> {
  return ANSWERS[name](given as never, deps)
}
