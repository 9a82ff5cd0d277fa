// Characters in every dress, each page with the title that a reader must see: BOM, header, meta, default, in that order.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

const TITLE = 'Coração da Tarde'
const typed = charset => ({ 'Content-Type': charset ? `text/html; charset=${charset}` : 'text/html' })
const latin1 = html => Buffer.from(html, 'latin1')
const utf8 = html => Buffer.from(html)

export function charsets(site) {
  const page = (path, options) =>
    site.linkedPage(path, { kind: 'charset', title: TITLE, text: PLAIN_TEXT, meta: '', ...options })
  page('/charset/utf-8-header', { headers: typed('utf-8') })
  page('/charset/utf-8-meta', { headers: typed(''), meta: '<meta charset=UTF8>' })
  page('/charset/utf-8-bom', { headers: typed('iso-8859-1'), encode: html => utf8(`\uFEFF${html}`) })
  page('/charset/latin-1-header', { headers: typed('ISO-8859-1'), encode: latin1 })
  page('/charset/latin-1-meta', {
    headers: typed(''),
    meta: '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    encode: latin1,
  })
  page('/charset/default', { headers: typed(''), encode: latin1 })
  page('/charset/header-wins', { headers: typed('windows-1252'), meta: '<meta charset=utf-8>', encode: latin1 })
  page('/charset/wrong-header', { headers: typed('utf-8'), encode: latin1, titleSeen: 'Cora\uFFFD\uFFFDo da Tarde' })
  page('/charset/unknown-header', { headers: typed('martian'), meta: '<meta charset=utf-8>' })
  page('/charset/utf-16-bom', { headers: typed(''), encode: html => Buffer.from(`\uFEFF${html}`, 'utf16le') })
  page('/charset/shift-jis', {
    headers: typed(''),
    meta: '<meta charset="Shift_JIS">',
    title: '日本語',
    encode: html =>
      Buffer.concat(html.split('日本語').flatMap((part, n) => (n ? [JAPANESE, latin1(part)] : latin1(part)))),
  })
}

const PLAIN_TEXT =
  'only plain letters here so that every dress fits and nothing is lost on the way to the reader of it all'
/** 日本語 in Shift_JIS. */
const JAPANESE = Buffer.from('93fa967b8cea', 'hex')

export function encodings(site) {
  const page = (path, name, pack) =>
    site.linkedPage(path, { kind: 'encoding', headers: { 'Content-Encoding': name }, encode: html => pack(utf8(html)) })
  page('/packed/gzip.html', 'gzip', gzipSync)
  page('/packed/capital.html', 'GZIP', gzipSync)
  page('/packed/deflate.html', 'deflate', deflateSync)
  page('/packed/raw-deflate.html', 'deflate', deflateRawSync)
  page('/packed/brotli.html', 'br', brotliCompressSync)
  page('/packed/identity.html', 'identity', bytes => bytes)
}
