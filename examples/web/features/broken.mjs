// HTML as it is found: broken, empty, doubled; and links to hosts that are not there.
import { pathLink } from '../site.mjs'

const HTML = { 'Content-Type': 'text/html' }

export function broken(site) {
  const behind = path => {
    site.page(path, { kind: 'behind' })
    return site.place(path)
  }
  const raw = (path, body, leadsTo = []) =>
    site.linkedAnswer(path, { kind: 'broken', headers: HTML, body, archived: true, leadsTo })
  raw('/odd/empty.html', '')
  raw('/odd/blank.html', ' \n\t ')
  raw('/odd/unclosed.html', '<title>Unclosed<p><a href="/odd/behind-1.html">x')
  raw('/odd/no-structure.html', 'words <a href=/odd/behind-2.html>x</a> words', [behind('/odd/behind-2.html')])
  raw('/odd/crossed.html', '<b><i><a href="/odd/behind-3.html">x</b></i></a></p></div>', [behind('/odd/behind-3.html')])
  raw('/odd/attribute.html', '<a href="/odd/behind-4.html" title="a>b" <b>x</a>', [behind('/odd/behind-4.html')])
  raw('/odd/nested.html', `${'<div>'.repeat(20_000)}<a href="/odd/behind-5.html">x</a>`, [behind('/odd/behind-5.html')])
  raw('/odd/nul.html', 'a\0b<a href="/odd/behind-6.html">x\0</a>', [behind('/odd/behind-6.html')])
  site.linkedPage('/odd/twin-1.html', { kind: 'twin', title: 'Twin', text: 'the same words' })
  site.linkedPage('/odd/twin-2.html', { kind: 'twin', title: 'Twin', text: 'the same words' })
}

/** Links to names that nobody has, and to a port where nobody listens. */
export function nowhere(site) {
  const links = [
    { href: 'http://nobody-1.nowhere.test:{{port}}/', refused: 'dns' },
    { href: 'https://nobody-2.nowhere.test/', refused: 'dns' },
    pathLink(site, '/'),
  ]
  site.linkedPage('/out.html', { kind: 'nowhere', links })
}
