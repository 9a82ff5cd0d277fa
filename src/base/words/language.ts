export type Language = 'en' | 'pt'

let current: Language = 'en'

/** The command line sets it once, at its start. */
export function setLanguage(language: Language): void {
  current = language
}

export function language(): Language {
  return current
}

/** `make` must not wait for anything. */
export function inLanguage<Said>(language: Language, make: () => Said): Said {
  const former = current
  current = language
  try {
    return make()
  } finally {
    current = former
  }
}

/** The same in both languages: one crawl may be watched by people who read different ones. */
export interface Bilingual<Value = string> {
  readonly en: Value
  readonly pt: Value
}

export function inBothLanguages<Said>(make: () => Said): Bilingual<Said> {
  return { en: inLanguage('en', make), pt: inLanguage('pt', make) }
}

/** `pt_BR.UTF-8`, `pt`, `pt-PT`: Portuguese. Anything else: English. */
export function languageOf(locale: string | undefined): Language {
  return /^pt(?:$|[-_.@])/i.test(locale ?? '') ? 'pt' : 'en'
}

/** Texts in both languages; a text that one of them lacks does not compile. The function returns those of the current language. */
export function catalogue<Texts extends object>(texts: {
  readonly en: Texts
  readonly pt: NoInfer<Texts>
}): () => Texts {
  return () => texts[current]
}
