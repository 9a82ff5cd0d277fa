import { type EChartsOption, init } from 'echarts'
import type { Picture } from './picture.ts'
import { localeNumbers } from './picture.ts'
import { pictureWords } from './picture-words.ts'

export interface SvgSize {
  readonly width: number
  readonly height: number
}

/** Draws a picture without a browser. */
export function svgPicture(picture: Picture, size: SvgSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size })
  chart.setOption({ backgroundColor: '#fff', ...localeNumbers(picture, pictureWords().locale) } as EChartsOption)
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
