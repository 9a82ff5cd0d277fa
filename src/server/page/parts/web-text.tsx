import { printable } from '../../../base/words/printable.ts'
import type { PagePath } from '../../page-paths.ts'
import { To } from './router.tsx'

// Text from the web is hostile: it is only ever text, what could hide or reorder its neighbours is written out, and it is cut.

const MOST_SHOWN = 160
const MOST_HINT = 2000
const MOST_OPEN = 1000
const MOST_WHOLE = 70_000

/** A text of one line, cut; the hint has more of it. */
export function WebText({ text, most = MOST_SHOWN }: { text: string; most?: number }) {
  const isCut = text.length > most
  const shown = printable(isCut ? cut(text, most) : text)
  return (
    <bdi class="web" dir="auto" {...(isCut ? { title: printable(cut(text, MOST_HINT)) } : {})}>
      {shown}
      {isCut ? '…' : ''}
    </bdi>
  )
}

/** A URL reads from left to right, whatever is in it. */
export function WebUrl({ url, most = MOST_SHOWN }: { url: string; most?: number }) {
  const isCut = url.length > most
  return (
    <bdi class="web url" dir="ltr" {...(isCut ? { title: printable(cut(url, MOST_HINT)) } : {})}>
      {printable(isCut ? cut(url, most) : url)}
      {isCut ? '…' : ''}
    </bdi>
  )
}

/** All of a URL, as long as the server hands one out; a very long one is folded. */
export function WholeUrl({ url }: { url: string }) {
  if (url.length <= MOST_OPEN) return <WebUrl url={url} most={MOST_OPEN} />
  return (
    <details>
      <summary>
        <WebUrl url={url} />
      </summary>
      <WebUrl url={url} most={MOST_WHOLE} />
    </details>
  )
}

/** A URL that leads to another part of this page, by default to why it is there. */
export function UrlLink({ url, path = '/why', most }: { url: string; path?: PagePath; most?: number }) {
  return (
    <To path={path} query={{ url }}>
      <WebUrl url={url} {...(most === undefined ? {} : { most })} />
    </To>
  )
}

/** Several lines: only line ends and tabs stay as they are. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map(part => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('')
}

function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** Whether a text from outside may become the target of a link. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** The host of a canonical URL as the crawl calls it: with its port, unless it is the default one. */
export function hostName(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
