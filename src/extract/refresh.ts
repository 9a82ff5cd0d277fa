const REFRESH =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))/is

/** Where `<meta http-equiv=refresh content="…">`, or a `Refresh` header, leads: HTML standard, 4.2.5.3, shared declarative refresh steps. */
export function refreshTarget(content: string): string | undefined {
  const [, doublyQuoted, quoted, bare] = REFRESH.exec(content) ?? []
  const target = doublyQuoted ?? quoted ?? bare
  return target === '' ? undefined : target
}
