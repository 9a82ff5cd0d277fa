// The words inside the charts; the page's script gets them as data.
import { catalogue } from '../base/words/language.ts'

export interface ChartWords {
  /** For `toLocaleString`. */
  readonly locale: string
  readonly time: string
  readonly pagesPerSecond: string
  readonly receivedPerSecond: string
  readonly found: string
  readonly fresh: string
  readonly failed: string
  readonly pages: string
  readonly answers: string
  readonly hops: string
  readonly seed: string
  readonly more: string
  readonly bytes: string
  readonly tokens: string
  readonly tookMs: string
}

export const chartWords = catalogue<ChartWords>({
  en: {
    locale: 'en-US',
    time: 'working time',
    pagesPerSecond: 'pages per second',
    receivedPerSecond: 'received per second',
    found: 'found so far',
    fresh: 'new',
    failed: 'failed requests',
    pages: 'pages',
    answers: 'answers',
    hops: 'links from a seed',
    seed: 'seed',
    more: ' or more',
    bytes: 'size (logarithmic)',
    tokens: 'words (logarithmic)',
    tookMs: 'time (logarithmic)',
  },
  pt: {
    locale: 'pt-BR',
    time: 'tempo de trabalho',
    pagesPerSecond: 'páginas por segundo',
    receivedPerSecond: 'recebido por segundo',
    found: 'encontrados até aqui',
    fresh: 'novos',
    failed: 'requisições que falharam',
    pages: 'páginas',
    answers: 'respostas',
    hops: 'links desde uma semente',
    seed: 'semente',
    more: ' ou mais',
    bytes: 'tamanho (logarítmico)',
    tokens: 'palavras (logarítmico)',
    tookMs: 'tempo (logarítmico)',
  },
})
