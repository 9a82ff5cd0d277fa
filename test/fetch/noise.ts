/** Lower-case letters that don't compress well, the same every time. */
export function noise(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return String.fromCharCode(97 + ((state >>> 16) % 26))
  }).join('')
}
