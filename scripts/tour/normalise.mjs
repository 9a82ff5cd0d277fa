// Takes out of an output what depends on the machine and the moment, so that two runs of the tour make the same page.
const NUMBER = '\\d+(?:[.,]\\d+)*'

const RULES = [
  // A terminal shows no times; output that goes elsewhere has one at the start of each line.
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z (?=escalona: )/gm, ''],
  [/^escalona: .*(?:pages|páginas)\/s.*\n/gm, ''],
  [/^npm (?:warn|notice).*\n/gm, ''],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T12:00:00Z'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, '2026-01-01 12:00'],
  [/(?<![\dT:])\d\d:\d\d(?::\d\d)?(?![\d:])/g, '12:00'],
  [/\bescalona-[0-9a-z]{8}-\d{14}-/g, 'escalona-4fz8k2mq-20260101120000-'],
  [/\badded \d+ packages(?:, and audited \d+ packages)? in \S+/g, 'added … packages in …'],
  [new RegExp(`\\b${NUMBER} (B|kB|MB|GB)\\b`, 'g'), '… kB'],
  [new RegExp(`\\b${NUMBER} (ms|s)\\b`, 'g'), '… s'],
  [new RegExp(`\\b${NUMBER} (pages per second|páginas por segundo|pages\\/s|páginas\\/s)`, 'g'), '… $1'],
  [/(\(process|\(processo) \d+ (on|em) \S+\)/g, '$1 4711 $2 laptop)'],
]

export function normalised(text, { port, folder }) {
  let result = text.replaceAll(folder, '~/tour').replaceAll(`:${port}`, ':8080')
  for (const [from, to] of RULES) result = result.replace(from, to)
  return result
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}
