/** What becomes of the elements that are not simply written with their attributes. */
export type Treatment =
  /** Its tags are left out; what is between them is not. */
  | 'transparent'
  /** It is left out with everything in it. */
  | 'script'
  /** What is in it is text in which references count. */
  | 'text'
  /** What is in it is text as it stands; written as `<pre>`. */
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

/** Undefined: it is written as it is. */
export function treatmentOf(element: string): Treatment | undefined {
  return BY_NAME.get(element)
}

const VOID: ReadonlySet<string> = new Set('area br col hr img input source wbr'.split(' '))

/** Whether an element has no end tag in HTML. */
export function isVoid(element: string): boolean {
  return VOID.has(element)
}
