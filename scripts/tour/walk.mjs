// Walks through the steps of the tour in a folder where the tarball lies, and returns the page.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { normalised } from './normalise.mjs'
import { FILES, HEADS, STEPS } from './steps.mjs'
import { serveTourWeb } from './web.mjs'

const LOCALES = { en: 'en_US.UTF-8', pt: 'pt_BR.UTF-8' }
/** The answer is on its way, and the crawl waits for the host's delay. */
const LOOK_AFTER_MS = 500

/** Returns the page; throws when a command ends in a way that no step expects. */
export async function walk({ folder, version, language }) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  let onRequest = () => {}
  const web = await serveTourWeb(async place => onRequest(place))
  const { LC_ALL, LC_MESSAGES, LANGUAGE, ...rest } = process.env
  const env = { ...rest, LANG: LOCALES[language], PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}` }
  const shown = text => normalised(text, { port: web.port, folder })
  const typed = command => command.replaceAll('PORT', web.port).replaceAll('VERSION', version)

  const head = HEADS[language]
  const lines = [`# ${head.title}`, '', head.other, '', head.intro, '']
  try {
    for (const step of STEPS) {
      const [title, prose] = step[language]
      lines.push(`## ${title}`, '')
      if (prose !== '') lines.push(prose, '')
      lines.push('```console')
      let beside
      for (const command of step.run) {
        const started = start(typed(command), { folder, env })
        onRequest = async place => {
          if (place === step.stopAt) {
            started.interrupt()
            await wait(LOOK_AFTER_MS)
          }
          if (place === step.lookAt) {
            beside ??= wait(LOOK_AFTER_MS).then(() => start(typed(step.beside), { folder, env }).ended)
          }
        }
        const { output, code } = await started.ended
        lines.push(shown(`$ ${typed(command)}`))
        if (output.trim() !== '') lines.push(shown(output))
        if (code !== 0) lines.push(head.exit(code))
      }
      lines.push('```', '')
      if (beside === undefined) continue
      lines.push(`${head.second}:`, '', '```console', `$ ${step.beside}`, shown((await beside).output), '```', '')
    }
  } finally {
    await web.close()
  }
  return `${lines.join('\n').trimEnd()}\n`
}

/** Runs a command line in a shell; `ended` resolves with all that it printed, in order, and its exit code. */
function start(command, { folder, env }) {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command.startsWith('export ') ? command : `exec ${command}`}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => (output += text))
  const ended = new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => resolve({ output, code: signal === null ? code : 128 })),
  )
  const interrupt = () => {
    output += '^C\n'
    child.kill('SIGINT')
  }
  return { ended, interrupt }
}
