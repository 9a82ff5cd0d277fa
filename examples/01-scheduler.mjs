// The scheduler as a library: which URL is next, under three strategies.
// @ts-check
import { Scheduler } from 'escalona/scheduler'

const pages = [
  'http://www.ufmg.br/dcc/pos/',
  'http://ufmg.br/',
  'http://www.globo.com/videos#today',
  'http://globo.com/videos/',
  'http://globo.com/logo.gif',
  'ftp://ftp.globo.com',
  'http://uol.com.br/esporte?page=2',
]

for (const strategy of /** @type {const} */ (['depth', 'breadth', 'best'])) {
  const scheduler = new Scheduler({ strategy })
  for (const page of pages) {
    const added = scheduler.add(page)
    if (strategy === 'depth' && added.kind !== 'accepted') {
      console.log(`${page} is ${added.kind}${added.kind === 'refused' ? `: ${added.reason}` : ''}`)
    }
  }
  console.log(`\n${strategy}-first`)
  console.log(`  hosts: ${[...scheduler.hosts()].join(', ')}; ${scheduler.waiting()} URLs waiting`)
  for (const url of scheduler.schedule(2)) console.log(`  ${url}`)
  console.log(`  then one of globo.com: ${[...scheduler.scheduleHost('www.globo.com', 1)].join('') || 'none'}`)
  for (const url of scheduler) console.log(`  ${url}`)
}
