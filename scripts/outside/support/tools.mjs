// Installs the tools of others into a cache folder. Some have licences that ours does not mix with (replayweb.page: AGPL): they are
// only ever run, beside ours.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { has } from '../../needs.mjs'
import { runProgram } from './run-program.mjs'

/** Thrown by a check that cannot run here; the message says why. */
export class Skipped extends Error {}

/** The Python of the cache's virtual environment, after these packages are installed there. */
export async function pythonWith(cache, packages) {
  if (!has('python3')) throw new Skipped('there is no python3')
  const venv = join(cache, 'venv')
  const python = join(venv, 'bin', 'python')
  if (!existsSync(join(venv, 'made'))) {
    rmSync(venv, { recursive: true, force: true })
    await orSkipped('a virtual environment of Python', () => runProgram('python3', ['-m', 'venv', venv]))
    writeFileSync(join(venv, 'made'), '')
  }
  for (const name of packages) {
    const mark = join(venv, `has-${name}`)
    if (existsSync(mark)) continue
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', name]
    await orSkipped(`the Python package ${name}`, () => runProgram(python, args))
    writeFileSync(mark, '')
  }
  return python
}

/** The folder of an npm package, without what it depends on. */
export async function npmTool(cache, name) {
  const folder = join(cache, 'npm', name)
  if (existsSync(folder)) return folder
  const beside = `${folder}.new`
  rmSync(beside, { recursive: true, force: true })
  mkdirSync(beside, { recursive: true })
  await orSkipped(`the npm package ${name}`, async () => {
    await runProgram('npm', ['pack', name, '--silent', '--pack-destination', beside], { cwd: beside })
    const [tarball] = readdirSync(beside)
    await runProgram('tar', ['-xzf', tarball], { cwd: beside })
  })
  renameSync(join(beside, 'package'), folder)
  rmSync(beside, { recursive: true })
  return folder
}

/** A class path of Java archives, which Maven gets from where it is told to look: `org.netpreserve:jwarc:0.36.0`. */
export async function mavenJars(cache, coordinates) {
  for (const program of ['java', 'mvn']) if (!has(program)) throw new Skipped(`there is no ${program}`)
  const folder = join(cache, 'jars')
  mkdirSync(folder, { recursive: true })
  const jars = []
  for (const one of coordinates) {
    const [, artifact, version] = one.split(':')
    jars.push(join(folder, `${artifact}-${version}.jar`))
    if (existsSync(jars.at(-1))) continue
    const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${one}`, `-DoutputDirectory=${folder}`]
    await orSkipped(`the Java archive ${one}`, () => runProgram('mvn', args, { cwd: folder }))
  }
  return jars.join(':')
}

async function orSkipped(what, install) {
  try {
    console.error(`escalona: installing ${what} …`)
    return await install()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Skipped(`${what} cannot be installed: ${why.trim().split('\n').at(-1).slice(0, 300)}`)
  }
}
