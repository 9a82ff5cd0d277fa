// What the benchmarks share: options, timed child processes on one core, medians, and the last line of JSON.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export { needs } from '../scripts/needs.mjs'

/** `--name value` out of the arguments. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : process.argv[at + 1]
}

/** Certificates that a machine adds are read at every start of Node, for tens of milliseconds: here nobody needs them. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env

/** Runs a command to its end on one core, or on these; its wall time, its processor time in all threads, and its most memory. */
export function timed(command, cores = '0') {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    // Only a shell says how much processor time a process had that is gone.
    const shell = ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', 'taskset', '-c', cores, ...command]
    const child = spawn('bash', shell, { stdio: ['ignore', 'ignore', 'pipe'], env })
    let peakKib = 0
    let errors = ''
    child.stderr.on('data', data => (errors += data))
    const poll = setInterval(() => {
      for (const pid of childrenOf(child.pid)) peakKib = Math.max(peakKib, memoryKib(pid, 'VmHWM'))
    }, 5)
    child.on('exit', () => clearInterval(poll))
    child.on('close', code => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9
      const [user, system] = errors.trim().split('\n').at(-1).split(' ').map(Number)
      if (code === 0) resolve({ seconds, cpuSeconds: user + system, peakMb: peakKib / 1024 })
      else reject(new Error(`${command.join(' ')} ended with ${code}\n${errors}`))
    })
  })
}

/** The processes that a process has started. */
export function childrenOf(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
  } catch {
    return []
  }
}

/** A line of /proc/PID/status in KiB; 0 when the process is gone. */
export function memoryKib(pid, name) {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Processor time of a process so far, all threads. */
export function cpuSecondsOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

export function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1]
}

/** Every benchmark ends with its figures as one line of JSON. */
export function finish(figures) {
  const rounded = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  console.log(JSON.stringify(figures, rounded))
}
