// The scripts that make the report are plain JavaScript; this file is compiled to build/test/docs/, from where the
// repository is three folders up.
const SCRIPTS = new URL('../../../scripts/', import.meta.url)

export interface Heading {
  readonly id: string
  readonly level: number
  readonly number: string
  readonly title: string
}

interface Page {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly figures: readonly { readonly number: number; readonly source: string; readonly caption: string }[]
  readonly tables: readonly string[]
}

interface ReportScripts {
  readonly REPORT: string
  readonly CHAPTERS: readonly string[]
  readonly LANGUAGES: Readonly<Record<string, { readonly folder: string }>>
  readonly GAP: RegExp
  readChapters(language: string): string[]
  fillGaps(text: string, wish: { language: string; facts: object; tables: object }): string
  numberText(value: number, language: string, digits?: string | number): string
  readFacts(experimentFile: string, report: { version: string; date: string; load: number }): object
  reportPage(wish: {
    language: string
    facts: object
    figures: string
    pageOf?: (id: string) => unknown
    lineHeight?: number
  }): Page
  printedPdf(html: string): Buffer
  wellFilled(make: (lineHeight: number) => string): { readonly pdf: Buffer; readonly least: number }
  pagesOf(pdf: Buffer): { readonly count: number; readonly anchors: ReadonlyMap<string, number> }
}

const names = ['docs-chapters.mjs', 'docs-facts.mjs', 'docs-page.mjs', 'docs-print.mjs']
const modules = await Promise.all(names.map(name => import(new URL(name, SCRIPTS).href) as Promise<object>))
const scripts = Object.assign({}, ...modules) as ReportScripts

export const { REPORT, CHAPTERS, LANGUAGES, GAP, readChapters, fillGaps, numberText, readFacts } = scripts
export const { reportPage, printedPdf, pagesOf, wellFilled } = scripts
