// Runs programs of others: bounded in time and output, and ended with everything that they started.
import { spawn } from 'node:child_process'

const MOST_CHARS = 1 << 26

/** What it printed to standard output; an error with the end of its messages when it fails. */
export async function runProgram(program, args, { cwd, env = {}, timeoutMs = 600_000 } = {}) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', text => {
      if (printed[name].length < MOST_CHARS) printed[name] += text
    })
  }
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  if (code === 0) return printed.stdout
  const end = `${printed.stdout}\n${printed.stderr}`.trim().slice(-1500)
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} … ended with ${code}: ${end}`)
}

/** Starts a server; resolves when `isReady` does, and returns how to end it. */
export async function startServer(program, args, { cwd, env = {}, isReady, patienceMs = 60_000 }) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-4000)
    })
  }
  const ended = new Promise(resolve => child.on('close', resolve).on('error', resolve))
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const untilMs = performance.now() + patienceMs
  while (!(await isReady())) {
    if (hasEnded || performance.now() > untilMs) {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start: ${said}`)
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    said: () => said,
    end: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
