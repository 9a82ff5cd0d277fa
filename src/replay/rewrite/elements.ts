/** What becomes of elements that aren't simply written with their attributes. */
const TREATMENTS = {
  // Only its content is written. `noembed` and `noframes` have what is wanted here; the animations of SVG could give a link its address later.
  transparent:
    'animate animatecolor animatemotion animatetransform applet base bgsound discard embed fencedframe noembed noframes object ' +
    'param portal set track',
  // Left out with its content.
  script: 'script',
  // Its content is text with references.
  text: 'textarea title',
  // Its content is text; written as `<pre>`.
  verbatim: 'xmp',
  // The rest of the page is text.
  plaintext: 'plaintext',
  style: 'style',
  // Written as a link.
  frame: 'frame',
  iframe: 'iframe',
  // Written as `<div>`.
  box: 'audio frameset video',
  meta: 'meta',
  link: 'link',
} as const

export type Treatment = keyof typeof TREATMENTS

const BY_NAME: ReadonlyMap<string, Treatment> = new Map(
  Object.entries(TREATMENTS).flatMap(([treatment, names]) =>
    names.split(' ').map(name => [name, treatment as Treatment] as const),
  ),
)

export function treatmentOf(element: string): Treatment | undefined {
  return BY_NAME.get(element)
}

const VOID: ReadonlySet<string> = new Set('area br col hr img input source wbr'.split(' '))

export function isVoid(element: string): boolean {
  return VOID.has(element)
}
