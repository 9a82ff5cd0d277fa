// Texts, sixteen bytes per step. Reading and writing may run up to 15 bytes over the end of a text.

export function isSame(a: usize, b: usize, length: usize): bool {
  let i: usize = 0
  for (; i + 16 <= length; i += 16) {
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false
  }
  const differs = ~i8x16.bitmask(i8x16.eq(v128.load(a + i), v128.load(b + i)))
  return (differs & ((1 << ((length - i) as i32)) - 1)) === 0
}

export function copy(from: usize, to: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i))
}
