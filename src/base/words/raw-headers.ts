// Headers as they were received: name, value, name, value, …

export function headerOf(headers: readonly string[], name: string): string | undefined {
  return headersOf(headers, name)[0]
}

/** Where a header came more than once, browsers take the last one: so for `Content-Type`. */
export function lastHeaderOf(headers: readonly string[], name: string): string | undefined {
  return headersOf(headers, name).at(-1)
}

/** `name` in lower case. */
export function headersOf(headers: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]!.length === name.length && headers[at]!.toLowerCase() === name) values.push(headers[at + 1]!)
  }
  return values
}
