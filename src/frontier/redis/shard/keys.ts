/** The list of a host's page links that wait at this depth; see `lua/parts/call.lua`, where every key of a shard is described. */
export function pagesKey(tag: string, hostId: Buffer, depth: number): Buffer {
  return Buffer.concat([auxiliariesKey(tag, hostId), Buffer.from([COLON, depth])])
}

/** The list of a host's auxiliary links. */
export function auxiliariesKey(tag: string, hostId: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${tag}q:`), hostId])
}

const COLON = 0x3a
