import type { Part } from './part.ts'

/**
 * Whether nothing is left in any shard, for anybody. Shards are looked at one after the other while others work on them, and
 * a link may move unseen from one that was not looked at yet to one that was; but then the other knows one link more. So
 * two looks in a row must show nothing left and the same number known.
 */
export async function isNothingLeft(parts: readonly Part[]): Promise<boolean> {
  const known = await knownWhenEmpty(parts)
  return known !== undefined && known === (await knownWhenEmpty(parts))
}

/** How many links are known, if nothing is left. */
async function knownWhenEmpty(parts: readonly Part[]): Promise<number | undefined> {
  await Promise.all(
    parts.map(async part => {
      part.left = await part.shard.left()
    }),
  )
  if (parts.some(part => part.stillOpen > 0)) return undefined
  return parts.reduce((known, part) => known + part.left.known, 0)
}
