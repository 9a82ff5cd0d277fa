// The report's sources: which chapters there are, in which languages, and how the gaps in their text are filled.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPORT = fileURLToPath(new URL('../docs/report/', import.meta.url))

/** In order; the last one is an appendix and has a page of its own. */
export const CHAPTERS = [
  '01-introduction.md',
  '02-method.md',
  '03-complexity.md',
  '04-robustness.md',
  '05-experiments.md',
  '06-conclusions.md',
  '07-bibliography.md',
  '08-instructions.md',
]

export const LANGUAGES = {
  en: {
    folder: REPORT,
    pdf: 'escalona-report.pdf',
    title: 'Escalona',
    subtitle: 'A URL scheduler: its method, its cost, and what was measured',
    course: 'Documentation of the assignment “Escalonador de URLs”',
    school: 'Data Structures, Department of Computer Science, Federal University of Minas Gerais',
    authors: 'The contributors of Escalona',
    contents: 'Contents',
    figure: 'Figure',
    table: 'Table',
    appendix: 'Appendix',
  },
  'pt-BR': {
    folder: join(REPORT, 'pt-BR'),
    pdf: 'escalona-relatorio.pdf',
    title: 'Escalona',
    subtitle: 'Um escalonador de URLs: seu método, seu custo e o que foi medido',
    course: 'Documentação do trabalho prático “Escalonador de URLs”',
    school: 'Estruturas de Dados, Departamento de Ciência da Computação, Universidade Federal de Minas Gerais',
    authors: 'Os colaboradores do Escalona',
    contents: 'Sumário',
    figure: 'Figura',
    table: 'Tabela',
    appendix: 'Apêndice',
  },
}

/** The chapters of a language as they are written, gaps and all. */
export function readChapters(language) {
  return CHAPTERS.map(name => readFileSync(join(LANGUAGES[language].folder, name), 'utf8'))
}

/** A gap is {{a.path.into.the.facts}}, {{path:2}} with two decimals, or {{table:name}}, a whole table. */
export const GAP = /\{\{\s*(?:table:([\w-]+)|([\w.-]+)(?::(\d))?)\s*\}\}/g

/** Fills the gaps. `facts` is an object of objects, `tables` makes a table's Markdown; what is not there is an error. */
export function fillGaps(text, { language, facts, tables }) {
  return text.replace(GAP, (gap, table, path, digits) => {
    if (table !== undefined) {
      if (tables[table] === undefined) throw new Error(`the report has no table for ${gap}`)
      return tables[table](facts, language)
    }
    const value = path.split('.').reduce((part, key) => part?.[key], facts)
    if (value === undefined || value === null) throw new Error(`the experiment says nothing for ${gap}`)
    return typeof value === 'number' ? numberText(value, language, digits) : String(value)
  })
}

/** As people of that language write it; without `digits`, with three that count, and whole from a thousand up. */
export function numberText(value, language, digits) {
  if (digits !== undefined) {
    return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  }
  const isLarge = Math.abs(value) >= 1000
  return value.toLocaleString(language, isLarge ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
}

/** The file that a picture in a chapter is. Those of the experiment lie in `figures`, the Portuguese ones in its folder `pt`. */
export function pictureFile(language, source, figures) {
  if (!/(?:^|\/)figures\//.test(source)) return join(LANGUAGES[language].folder, source)
  return join(figures, language === 'en' ? '' : 'pt', basename(source))
}
