import type { Picture } from './map-picture.ts'

/** The widths of a phone and of a sheet of paper, in pixels of a picture. */
const PHONE_PIXELS = 480
const PAPER_PIXELS = 720
const PHONE_TITLE_PIXELS = 330
const PAPER_TITLE_PIXELS = 600

/** What changes in a narrow picture, and how it is otherwise. In narrow ones titles wrap, and buttons are hidden. */
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
    // Without a query: applies again when the window gets wider.
    { option: { ...wide, ...UNBROKEN, toolbox: { show: true } } },
  ]
}

/** A title that wraps at this width if the picture is no wider than a phone. */
export function titleOnPhones(width: number): readonly Picture[] {
  return [{ query: { maxWidth: PHONE_PIXELS }, option: titled(width) }, { option: UNBROKEN }]
}

function titled(width: number): Picture {
  const broken = { width, overflow: 'break' }
  return { title: { textStyle: broken, subtextStyle: broken } }
}

const UNBROKEN: Picture = { title: { textStyle: { overflow: 'none' }, subtextStyle: { overflow: 'none' } } }
