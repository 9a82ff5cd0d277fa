/** The language of a text, such as `pt`; undefined when it is not sure. */
export type DetectLanguage = (text: string) => string | undefined

/** Below this, what a text is said to be is often wrong: names, numbers, code. docs/decisions/0034-language.md */
const LEAST_SURE = 0.1

/** Loads the detector, if one of these settings needs to know the languages of pages. */
export async function languageDetector({
  language,
  onlyLanguage,
}: {
  readonly language: readonly string[]
  readonly onlyLanguage: readonly string[]
}): Promise<DetectLanguage | undefined> {
  if (language.length === 0 && onlyLanguage.length === 0) return undefined
  const { detectAll } = await import('tinyld/light')
  return text => {
    const [best] = detectAll(text)
    return best !== undefined && best.accuracy >= LEAST_SURE ? best.lang : undefined
  }
}
