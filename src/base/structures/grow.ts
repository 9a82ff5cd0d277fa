/** With room for index `last`, at least twice as large. Memory that was never written to costs nothing: the system gives it page by page. */
export function grown(cells: Int32Array, last: number): Int32Array {
  const larger = new Int32Array(Math.max(last + 1, cells.length * 2))
  larger.set(cells)
  return larger
}
