// Loaded only when a program selects something: nothing else of a crawl needs a tree of elements.
import { selectAll } from 'css-select'
import render from 'dom-serializer'
import { type AnyNode, type Document, DomHandler, type Element } from 'domhandler'
import { innerText } from 'domutils'
import { Parser } from 'htmlparser2'
import { EscalonaError } from '../base/errors.ts'
import type { PageElement } from './page-element.ts'

/** Chromium nests at most 512. The parser takes quadratic time in the depth, and what walks the tree would run out of stack. */
const MOST_DEPTH = 1000
/** So much may be read below that depth. */
const CHARS_AT_ONCE = 1 << 12

/** The elements of a page by CSS selectors. A page that nests too deep is read up to there. */
export class PageTree {
  private readonly document: Document

  constructor(html: string) {
    const handler = new DomHandler()
    const depthOf = handler as unknown as { readonly tagStack: readonly unknown[] }
    const parser = new Parser(handler)
    for (let at = 0; at < html.length && depthOf.tagStack.length < MOST_DEPTH; at += CHARS_AT_ONCE)
      parser.write(html.slice(at, at + CHARS_AT_ONCE))
    parser.end()
    this.document = handler.root
  }

  select(selector: string): PageElement[] {
    return selected(selector, this.document)
  }
}

/** In the node, not in the list of its children: a list takes quadratic time. */
function selected(selector: string, within: Document | Element): PageElement[] {
  try {
    return selectAll<AnyNode, Element>(selector, within).map(pageElement)
  } catch (error) {
    throw new EscalonaError('PAGE_BAD_SELECTOR', { selector, why: (error as Error).message }, { cause: error })
  }
}

function pageElement(element: Element): PageElement {
  return {
    get text() {
      return innerText(element).replaceAll(/\s+/g, ' ').trim()
    },
    get html() {
      return render(element)
    },
    attr(name) {
      const key = name.toLowerCase()
      return Object.hasOwn(element.attribs, key) ? element.attribs[key] : undefined
    },
    select: selector => selected(selector, element),
  }
}
