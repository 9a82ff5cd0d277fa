/**
 * The product token at the start of a `User-agent` value or of a crawler's own User-Agent: `escalona` of
 * `escalona/1.0 (+https://…)`. RFC 9309 2.2.1 allows letters, `_` and `-` only. Real names also have digits (`MJ12bot`,
 * `360Spider`, `008`), and cut before them `MJ12bot` would be `MJ`: so digits belong to the token on both sides. Empty when
 * the text begins with anything else.
 */
export function productToken(text: string): string {
  return /^[\w-]*/.exec(text)![0]
}
