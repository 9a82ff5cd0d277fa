/** For elements that aren't simply written with their attributes. */
export type Treatment =
  /** Only its content is written. */
  | 'transparent'
  /** Left out with its content. */
  | 'script'
  /** Its content is text with references. */
  | 'text'
  /** Its content is text; written as `<pre>`. */
  | 'verbatim'
  /** The rest of the page is text. */
  | 'plaintext'
  | 'style'
  /** Written as a link. */
  | 'frame'
  | 'iframe'
  /** Written as `<div>`. */
  | 'box'
  | 'meta'
  | 'link'

const TREATMENTS: Readonly<Record<Treatment, string>> = {
  // `noembed` and `noframes`: what they have for browsers without such things is what is wanted here. The animations of SVG
  // could give a link its address later.
  transparent:
    'animate animatecolor animatemotion animatetransform applet base bgsound discard embed fencedframe noembed noframes object ' +
    'param portal set track',
  script: 'script',
  text: 'textarea title',
  verbatim: 'xmp',
  plaintext: 'plaintext',
  style: 'style',
  frame: 'frame',
  iframe: 'iframe',
  box: 'audio frameset video',
  meta: 'meta',
  link: 'link',
}

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
