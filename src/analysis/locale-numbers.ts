/**
 * A picture whose axes format numbers as in a language. Also runs in the browser: its source is put into the page as it is,
 * so it uses nothing but its arguments.
 */
export function localeNumbers(picture: Readonly<Record<string, unknown>>, locale: string): Record<string, unknown> {
  const formatter = (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 15 })
  const named = (axis: Record<string, unknown>) =>
    axis.type === 'category' ? axis : { ...axis, axisLabel: { ...(axis.axisLabel as object), formatter } }
  const all = (axes: unknown) => (Array.isArray(axes) ? axes.map(named) : named(axes as Record<string, unknown>))
  return { ...picture, xAxis: all(picture.xAxis), yAxis: all(picture.yAxis) }
}
