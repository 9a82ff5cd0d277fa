// What is HTML and what is not: the Content-Type decides; where it is missing, the first bytes do.
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')

/** A body that nobody should download: far more than what fits into the buffers on the way. */
export const UNWANTED_BYTES = 64 << 20

export function contentTypes(site) {
  const unwanted = (path, type, body) =>
    site.linkedAnswer(path, { kind: 'type', headers: type === undefined ? {} : { 'Content-Type': type }, body })
  unwanted('/files/paper.pdf', 'application/pdf', '%PDF-1.7 and so on')
  unwanted('/files/photo.png', 'image/png', PNG)
  unwanted('/files/data.json', 'application/json', '{"a":"<html>"}')
  unwanted('/files/notes.txt', 'text/plain', 'plain notes')
  unwanted('/files/looks-like.html', 'image/png', PNG)
  unwanted('/files/style', 'text/css; charset=utf-8', 'a { color: red }')
  unwanted('/files/untyped-picture', undefined, PNG)
  unwanted('/files/untyped-words', undefined, 'only words, no marks at all')
  site.linkedAnswer('/files/film', {
    kind: 'unwanted',
    headers: { 'Content-Type': 'video/mp4', 'Content-Length': String(UNWANTED_BYTES) },
    act: { streamBytes: UNWANTED_BYTES },
  })
  site.linkedPage('/pages/as-file.pdf', { kind: 'typed' })
  site.linkedPage('/pages/capital', { kind: 'typed', headers: { 'Content-Type': 'TEXT/HTML;Charset="UTF-8"' } })
  site.linkedPage('/pages/untyped', { kind: 'typed', headers: { 'Content-Type': undefined } })
}
