// The scheduler as a library: what comes next, by three strategies. In your own project, import from 'escalona'.
import { Scheduler } from '../src/index.ts'

const pages = [
  'http://www.ufmg.br/dcc/pos/',
  'http://ufmg.br/',
  'http://www.globo.com/videos#today',
  'http://globo.com/videos/',
  'http://globo.com/logo.gif',
  'ftp://ftp.globo.com',
  'http://uol.com.br/esporte?page=2',
]

for (const strategy of ['depth', 'breadth', 'best'] as const) {
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
