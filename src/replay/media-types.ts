/** What an archived answer is treated as. */
export type Kind = 'html' | 'text' | 'style' | 'image' | 'font' | 'other'

const IMAGES: ReadonlySet<string> = new Set(
  'apng avif bmp gif jpeg jpg pjpeg png svg+xml vnd.microsoft.icon webp x-icon x-ms-bmp x-png'
    .split(' ')
    .map(name => `image/${name}`),
)
const FONTS: ReadonlySet<string> = new Set([
  ...['collection', 'otf', 'sfnt', 'ttf', 'woff', 'woff2'].map(name => `font/${name}`),
  ...['font-sfnt', 'font-woff', 'font-woff2', 'vnd.ms-fontobject', 'x-font-opentype', 'x-font-otf'].map(
    name => `application/${name}`,
  ),
  ...['x-font-truetype', 'x-font-ttf', 'x-font-woff'].map(name => `application/${name}`),
])
const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
/** Shown as plain text, whatever else they could do. */
const TEXTS = /^text\/|^application\/(?:json|javascript|ecmascript|xml|.+\+xml|.+\+json|rss|atom)$/

/** The media type in a `Content-Type`, in lower case; empty when there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return /^\s*([\w.+-]{1,80}\/[\w.+-]{1,120})\s*(?:;|$)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? ''
}

export function kindOf(mediaType: string): Kind {
  if (PAGES.has(mediaType)) return 'html'
  if (mediaType === 'text/css') return 'style'
  if (IMAGES.has(mediaType)) return 'image'
  if (FONTS.has(mediaType)) return 'font'
  return TEXTS.test(mediaType) ? 'text' : 'other'
}
