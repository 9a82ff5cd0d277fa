/** A language as settings name it: the first part of a tag by BCP 47. */
export const LANGUAGE = /^[a-z]{2,3}$/

/** Whether a page is in none of these languages. One whose language is not known passes, and so does every page when none is named. */
export function isOther(language: string | undefined, wanted: readonly string[]): boolean {
  return language !== undefined && wanted.length > 0 && !wanted.includes(language.split('-', 1)[0]!)
}
