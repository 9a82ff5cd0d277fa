// One picture of a simulation as SVG, for docs/images: PageRank gathered over pages.
//   node scripts/simulation-picture.mjs SIMULATION.json -o PICTURE.svg [--rows breadth/depth,random/depth]
// The file is what `escalona simulate … -o DIR` writes; docs/strategies.md has the command of its picture. Needs `npm run build`.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sources } from '../bench/measured.mjs'

const SIZE = { width: 960, height: 480 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', short: 'o' }, rows: { type: 'string' } },
})
const { svgPicture, simulationPictures } = await sources(['analysis/svg-picture', 'cli/analysis/simulation-page'])
const { rows } = JSON.parse(readFileSync(positionals[0], 'utf8'))
const wanted = values.rows?.split(',')
const [{ picture }] = simulationPictures(
  rows.filter(({ strategy, rank }) => wanted === undefined || wanted.includes(`${strategy}/${rank}`)),
)
const { max: _, ...yAxis } = picture.yAxis
const svg = svgPicture({ ...picture, yAxis }, SIZE)
  // Its style sheet is for a mouse; a picture in a document has none, but a title.
  .replace(/<style.*?<\/style>/s, '')
  .replace('>', `><title>${picture.title.text} ${picture.title.subtext}</title>`)
writeFileSync(values.output, svg)
