import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { printable } from '../../../base/words/printable.ts'
import type { PageDetails } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownBytes, shownCount, shownMoment } from '../parts/formats.ts'
import { Answered, Facts, Heading, Panel } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { hostName, isWebAddress, printableLines, UrlLink, WebText, WholeUrl } from '../parts/web-text.tsx'
import { pageWords } from './page-words.ts'

/** More than this is drawn only on demand: a megabyte of text makes a telephone think. */
const FIRST_CHARS = 60_000

export function PagePage({ url }: { url: string }) {
  const asked = useAnswer<PageDetails>(url === '' ? undefined : withQuery('/api/page', { url }))
  const title = asked.answer?.page.title ?? ''
  const text = pageWords()
  return (
    <>
      <p class="back">
        <To path="/pages">← {text.all}</To>
      </p>
      <Heading title={printable(title === '' ? url : title)}>
        <WebText text={title === '' ? url : title} most={200} />
      </Heading>
      <div class="address">
        <WholeUrl url={url} />
      </div>
      <p class="links">
        <To path="/why" query={{ url }}>
          {text.why}
        </To>
        <To path="/host" query={{ name: hostName(url) }}>
          {text.host}
        </To>
        {isWebAddress(url) ? (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {text.open}
          </a>
        ) : null}
      </p>
      <Answered asked={asked}>{details => <Details details={details} />}</Answered>
    </>
  )
}

function Details({ details: { page, warc, statusLine, headers, links, html, isCut } }: { details: PageDetails }) {
  const text = pageWords()
  return (
    <>
      <Facts
        facts={[
          [text.columns.time, <time dateTime={isoMoment(page.dateMs)}>{shownMoment(page.dateMs)}</time>],
          [text.columns.size, shownBytes(page.bytes)],
          [text.words, shownCount(page.tokens)],
          [text.columns.links, shownCount(page.linksOut)],
          [text.columns.hops, shownCount(page.hops)],
          [text.columns.language, page.language === undefined ? '–' : <WebText text={page.language} most={20} />],
          [text.foundOn, page.from === undefined ? text.seed : <UrlLink url={page.from} most={80} />],
          ...(page.repeats === undefined
            ? []
            : [[text.repeats, <UrlLink url={page.repeats} most={80} />] as [string, ComponentChildren]]),
        ]}
      />
      <div class="two">
        <Panel title={text.http}>
          <p class="status-line">
            <code>
              <WebText text={statusLine} most={300} />
            </code>
          </p>
          <Fields fields={headers} label={text.httpFields} />
        </Panel>
        <Panel title={text.warc}>
          <p class="status-line">
            <code>
              <WebText text={page.file} />
            </code>{' '}
            <small class="faint">{text.location(shownCount(page.offset), shownCount(page.length))}</small>
          </p>
          <Fields fields={warc} label={text.warcFields} />
        </Panel>
      </div>
      <Panel title={text.links} note={links.length === 0 ? undefined : text.linksNote(shownCount(links.length))}>
        {links.length === 0 ? (
          <p class="empty">{text.noLinks}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
          <ul class="scroll urls" tabIndex={0} aria-label={text.links}>
            {links.map(link => (
              <li key={link}>
                <UrlLink url={link} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Html html={html} isCut={isCut} />
    </>
  )
}

function Fields({ fields, label }: { fields: PageDetails['headers']; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section class="scroll" tabIndex={0} aria-label={label}>
      <dl class="fields">
        {fields.map(([name, value], at) => (
          <div key={at}>
            <dt>
              <WebText text={name} most={80} />
            </dt>
            <dd>
              <WebText text={value} most={2000} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Html({ html, isCut }: { html: string; isCut: boolean }) {
  const text = pageWords()
  const [isWhole, setWhole] = useState(html.length <= FIRST_CHARS)
  const shown = useMemo(() => printableLines(isWhole ? html : html.slice(0, FIRST_CHARS)), [html, isWhole])
  return (
    <Panel title={text.html} note={text.htmlNote}>
      {html === '' ? (
        <p class="empty">{text.empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        <section class="scroll html" tabIndex={0} aria-label={text.htmlText}>
          <pre>{shown}</pre>
        </section>
      )}
      {isWhole ? null : (
        <button type="button" onClick={() => setWhole(true)}>
          {text.showAll(shownBytes(html.length))}
        </button>
      )}
      {isCut ? <p class="faint">{text.cut}</p> : null}
    </Panel>
  )
}
