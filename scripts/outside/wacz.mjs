// The validator of py-wacz, by the people who wrote the format.
import { statSync } from 'node:fs'

export async function check({ python, run, wacz }) {
  const program = await python(['wacz'])
  const file = await wacz()
  const said = await run(program, ['-m', 'wacz.main', 'validate', '-f', file])
  if (!said.includes('Validation succeeded')) throw new Error(said.slice(-1500))
  return `${statSync(file).size} bytes are a valid WACZ`
}
