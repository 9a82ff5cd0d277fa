/** An ECharts option; nothing but data, so that it draws the same on the server and in a page. */
export type Picture = Readonly<Record<string, unknown>>

/** Zooms in time with Ctrl and the wheel. */
export const ZOOM = { type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl' } as const

/** The title above a picture; `rich` has the styles that the text below it names. */
export function titleOf(text: string, subtext: string, fontSize: number, rich?: Picture): Picture {
  return {
    text,
    subtext,
    left: 8,
    top: 4,
    textStyle: { fontSize, lineHeight: fontSize + 4 },
    subtextStyle: { fontSize: 12, lineHeight: 16, ...(rich !== undefined && { rich }) },
  }
}

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

/** Formats the numbers of axes as in a language. Its source is also put into pages, so it uses nothing but its arguments. */
export function localeNumbers(picture: Readonly<Record<string, unknown>>, locale: string): Record<string, unknown> {
  const formatter = (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 15 })
  const named = (axis: Record<string, unknown>) =>
    axis.type === 'category' ? axis : { ...axis, axisLabel: { ...(axis.axisLabel as object), formatter } }
  const all = (axes: unknown) => (Array.isArray(axes) ? axes.map(named) : named(axes as Record<string, unknown>))
  return { ...picture, xAxis: all(picture.xAxis), yAxis: all(picture.yAxis) }
}
