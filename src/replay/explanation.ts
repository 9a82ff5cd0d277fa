import { escaped } from './rewrite/page-output.ts'

const STYLE = `:root{color-scheme:light dark}
body{max-width:62ch;margin:12vh auto;padding:0 24px;font:17px/1.55 system-ui,sans-serif;color:CanvasText;background:Canvas}
h1{margin:0 0 8px;font-size:26px;line-height:1.2;letter-spacing:-.01em}
p{margin:0 0 12px}
code{font:14px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
img{max-width:100%;height:auto}`

/** A small page of our own inside the frame. Paragraphs are text. */
export function explanation(language: string, title: string, paragraphs: readonly string[], code?: string): Buffer {
  const [first = '', ...rest] = paragraphs.map(text => `<p>${escaped(text)}</p>`)
  const named = code === undefined ? '' : `<p><code><bdi>${escaped(code)}</bdi></code></p>`
  return wholePage(language, title, `<h1>${escaped(title)}</h1>${first}${named}${rest.join('')}`)
}

/** An image as a page: alone, on the plain background. */
export function imagePage(language: string, title: string, path: string): Buffer {
  return wholePage(language, title, `<p><img src="${escaped(path)}" alt="${escaped(title)}"></p>`)
}

function wholePage(language: string, title: string, body: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>${body}</body></html>
`)
}
