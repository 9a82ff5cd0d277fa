import { systemClock } from '../../base/clock.ts'
import type { OutputFile } from '../../base/files/output-file.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import { Load, type LoadShape } from '../../generate/load.ts'
import type { SpreadLaw } from '../../generate/spread-law.ts'
import type { Command } from '../commands.ts'
import { noArguments } from '../terminal/arguments.ts'
import { type Arguments, type OptionRows, readArguments } from '../terminal/option-table.ts'
import { writeOutput } from '../terminal/output.ts'
import { say } from '../terminal/say.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { runWork, WorkBar } from '../terminal/work-bar.ts'

const OPTIONS = {
  output: { short: 'o', value: 'F', names: 'file' },
  hosts: { short: 's', value: 'N' },
  urls: { short: 'u', value: 'N' },
  'url-spread': { short: 'v', value: 'N' },
  depth: { short: 'p', value: 'N' },
  'depth-spread': { short: 'q', value: 'N' },
  seed: { value: 'N' },
  quiet: {},
} as const satisfies OptionRows

/** `escalona generate`: writes a load for the scheduler. */
export const GENERATE: Command = { run: generateCommand, help: () => generateWords(), options: OPTIONS }

async function generateCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  noArguments(positionals)
  if (values.output === undefined || values.output === '') throw wrongUse(generateWords().noOutput)
  const shape = shapeOf(values)
  const startMs = systemClock()
  const load = new Load(shape)
  await writeOutput(values.output, output => write(load, output, values.quiet ?? false, startMs))
  if (!values.quiet) for (const line of summary(load, shape, systemClock() - startMs)) say('info', line)
  return 0
}

async function write(load: Load, output: OutputFile, isQuiet: boolean, startMs: number): Promise<void> {
  const bar = new WorkBar(isQuiet, startMs)
  let bytes = 0
  function* work(): Generator<void, void, void> {
    for (const chunk of load.chunks()) {
      output.write(chunk)
      bytes += chunk.length
      yield
    }
  }
  const show = (nowMs: number) =>
    bar.show(nowMs, load.written / load.urls, generateWords().written((bytes / 1e6).toFixed(0)))
  await runWork(work(), show).finally(() => bar.hide())
}

function summary(load: Load, shape: LoadShape, elapsedMs: number): string[] {
  const words = generateWords()
  return [
    words.summary(shownCount(load.urls), shownCount(shape.hosts), shownDecimal(elapsedMs / 1000, 2)),
    ...note(words.urlsPerHost, shape.urlSpread, load.urlLaw),
    ...note(words.depth, shape.depthSpread, load.depthLaw),
  ]
}

/** Not every standard deviation is possible with whole numbers from 1 up; if the one asked for is not, says what it became. */
function note(what: string, asked: number, law: SpreadLaw): string[] {
  if (Math.abs(law.spread - asked) <= 0.01 * Math.max(asked, 0.1)) return []
  return [generateWords().noSpread(shownDecimal(law.mean, 2), String(asked), what, shownDecimal(law.spread, 2))]
}

function shapeOf(values: Arguments<typeof OPTIONS>['values']): LoadShape {
  return {
    hosts: numberOf('-s', values.hosts, 10),
    urls: numberOf('-u', values.urls, 3),
    urlSpread: numberOf('-v', values['url-spread'], 1),
    depth: numberOf('-p', values.depth, 3),
    depthSpread: numberOf('-q', values['depth-spread'], 1),
    seed: numberOf('--seed', values.seed, 1),
  }
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(text)) throw wrongUse(generateWords().notNumber(option, printable(text)))
  return Number(text)
}

const generateWords = catalogue({
  en: {
    head: `Examples
  escalona generate -o carga.txt                     10 hosts with about 3 URLs each
  escalona generate -o big.txt -s 100000 -u 10       about a million URLs
  escalona generate -o - --seed 7 | escalona -       straight into the scheduler

Usage: escalona generate -o FILE [options]
  -o, --output F   the command file to write; - for standard output
  -s N             hosts (default 10)
  -u N             URLs per host, on average (default 3)
  -v N             the standard deviation of that number (default 1)
  -p N             depth of a URL (slashes in its path), on average (default 3)
  -q N             the standard deviation of the depth (default 1)
      --seed N     for random choices: the same seed gives the same file on every machine (default 1)
      --quiet      no summary
  -h, --help       this page

The file adds all URLs, with the hosts interleaved, then runs LISTA_HOSTS, ESCALONA_TUDO and LIMPA_TUDO. All URLs are
distinct.
`,
    noOutput: 'generate needs -o FILE',
    notNumber: (option: string, text: string) => `${option} takes a number from 0 up, not ${text}`,
    written: (megabytes: string) => `${megabytes} MB written`,
    summary: (urls: string, hosts: string, seconds: string) => `${urls} URLs of ${hosts} hosts generated, ${seconds} s`,
    urlsPerHost: 'URLs per host',
    depth: 'depth',
    noSpread: (mean: string, asked: string, what: string, spread: string) =>
      `whole numbers from 1 up with a mean of ${mean} cannot have a standard deviation of ${asked}; for ${what} it is ${spread}`,
  },
  pt: {
    head: `Exemplos
  escalona generate -o carga.txt                     10 hosts com umas 3 URLs cada
  escalona generate -o grande.txt -s 100000 -u 10    cerca de um milhão de URLs
  escalona generate -o - --seed 7 | escalona -       direto para o escalonador

Uso: escalona generate -o ARQUIVO [opções]
  -o, --output F   o arquivo de comandos a escrever; - é a saída padrão
  -s N             hosts (padrão 10)
  -u N             URLs por host, em média (padrão 3)
  -v N             o desvio padrão desse número (padrão 1)
  -p N             profundidade de uma URL (barras no caminho), em média (padrão 3)
  -q N             o desvio padrão da profundidade (padrão 1)
      --seed N     para escolhas aleatórias: a mesma semente gera o mesmo arquivo em qualquer máquina (padrão 1)
      --quiet      sem resumo
  -h, --help       esta página

O arquivo adiciona todas as URLs, com os hosts misturados, e executa LISTA_HOSTS, ESCALONA_TUDO e LIMPA_TUDO.
As URLs são todas diferentes.
`,
    noOutput: 'generate precisa de -o ARQUIVO',
    notNumber: (option, text) => `${option} recebe um número a partir de 0, não ${text}`,
    written: megabytes => `${megabytes} MB escritos`,
    summary: (urls, hosts, seconds) => `${urls} URLs de ${hosts} hosts geradas, ${seconds} s`,
    urlsPerHost: 'URLs por host',
    depth: 'profundidade',
    noSpread: (mean, asked, what, spread) =>
      `números inteiros a partir de 1 com média ${mean} não podem ter desvio padrão ${asked}; para ${what} ele é ${spread}`,
  },
})
