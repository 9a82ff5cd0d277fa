// Deflate (RFC 1951) for one record at a time: greedy matches, and Huffman codes made for each block. AssemblyScript, compiled
// to WebAssembly; deflate-kernel.ts beside this folder is the only caller.
import { beginWriting, clearCounts, endWriting, writeBlock } from './block'
import { FREE } from './cells'
import { begin, finish, parse } from './matches'

export const free: usize = FREE

/** Returns the number of bytes written to `to`, at most 9/8 of `length` and a few more. Reads and writes up to eight bytes beyond. */
export function deflate(from: usize, length: u32, to: usize): u32 {
  const end = from + length
  begin(end)
  beginWriting(to)
  let at = from
  do {
    clearCounts()
    at = parse(at, from, end)
    writeBlock(at === end)
  } while (at < end)
  finish(length)
  return (endWriting() - to) as u32
}
