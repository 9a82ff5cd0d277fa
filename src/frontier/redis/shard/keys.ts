/** The list of a host's page links that wait at this depth; see `lua/parts/call.lua`, where every key of a shard is described. */
export function pagesKey(tag: string, hostId: Buffer, depth: number): Buffer {
  return Buffer.concat([errandsKey(tag, hostId), Buffer.from([COLON, depth])])
}

/** The list of a host's errands. */
export function errandsKey(tag: string, hostId: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${tag}q:`), hostId])
}

const COLON = 0x3a
