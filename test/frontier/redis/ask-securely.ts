// Asks the engine of a URL over TLS, in a process that trusts a certificate from its start; prints the answer or the error.
import { Engine } from '../../../src/frontier/redis/engine/engine.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'

try {
  const engine = await Engine.open({ where: parseWhere(process.argv[2]!) })
  console.log(String(await engine.ask('{x}', ['ECHO', 'secret'])))
  await engine.close()
} catch (error) {
  console.log((error as Error).message)
}
