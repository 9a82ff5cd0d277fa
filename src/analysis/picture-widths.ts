import type { Picture } from './map-picture.ts'

/** A telephone; a sheet of paper; anything wider. Pixels of a picture. */
const PHONE_PIXELS = 480
const PAPER_PIXELS = 720
const PHONE_TITLE_PIXELS = 330
const PAPER_TITLE_PIXELS = 600

/** What a picture changes where it is narrow, and how it is otherwise. Titles are broken into lines there, and buttons hidden. */
export function forWidths(narrow: Picture, wide: Picture): readonly Picture[] {
  return [
    {
      query: { maxWidth: PHONE_PIXELS },
      option: { ...narrow, ...titled(PHONE_TITLE_PIXELS), toolbox: { show: false } },
    },
    {
      query: { minWidth: PHONE_PIXELS + 1, maxWidth: PAPER_PIXELS },
      option: { ...narrow, ...titled(PAPER_TITLE_PIXELS), toolbox: { show: false } },
    },
    // Without a query: what holds again when the window has become wider.
    { option: { ...wide, ...UNBROKEN, toolbox: { show: true } } },
  ]
}

/** A title that is broken into lines of this width, where the picture is no wider than a telephone. */
export function titleOnPhones(width: number): readonly Picture[] {
  return [{ query: { maxWidth: PHONE_PIXELS }, option: titled(width) }, { option: UNBROKEN }]
}

function titled(width: number): Picture {
  const broken = { width, overflow: 'break' }
  return { title: { textStyle: broken, subtextStyle: broken } }
}

const UNBROKEN: Picture = { title: { textStyle: { overflow: 'none' }, subtextStyle: { overflow: 'none' } } }
