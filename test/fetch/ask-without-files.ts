// Asks for a URL at 127.0.0.1 while this process can open no more files, and once more after closing them.
//   node ask-without-files.js URL
import { closeSync, openSync } from 'node:fs'
import { systemClock } from '../../src/base/clock.ts'
import { Fetcher } from '../../src/fetch/fetcher.ts'

const fetcher = new Fetcher({
  userAgent: 'Escalona-test/1',
  timeoutMs: 5000,
  connectTimeoutMs: 5000,
  firstByteTimeoutMs: 5000,
  maxBodyBytes: 1000,
  allowNetworks: ['127.0.0.0/8'],
  clock: systemClock,
})
const ask = () => fetcher.get(process.argv[2]!, { ip: '127.0.0.1', family: 4, untilMs: 0 }, 'html')

const files: number[] = []
try {
  while (files.length < 1000) files.push(openSync(process.execPath, 'r'))
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error
}
const without = await ask()
for (const file of files) closeSync(file)
const after = await ask()
process.stdout.write(`${without.kind === 'failed' ? `${without.why} ${without.isSilent}` : without.kind}\n`)
process.stdout.write(after.kind === 'answer' ? after.exchange.body : after.kind)
await fetcher.close()
