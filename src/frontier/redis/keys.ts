/** Every key of a shard, after its tag. What they hold is said at the head of `lua/common.lua`, which has the same list. */
export const shardKeys = {
  counters: 'm',
  hosts: 'h',
  records: 'i',
  bucket: (n: number) => `s:${n}`,
} as const
