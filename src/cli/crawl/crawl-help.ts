import { catalogue, language } from '../../base/words/language.ts'
import { isNumber, shownNumber } from '../../settings/number-kinds.ts'
import { isRepeatable } from '../../settings/setting-texts.ts'
import { settingsWith } from '../../settings/settings.ts'
import { ALL_SETTINGS, type Setting } from '../../settings/settings-table.ts'
import { type HelpTexts, optionLines } from '../terminal/option-table.ts'
import { CRAWL_GROUPS, type CrawlGroup, negationOf, type OwnOption, RESUME_OPTIONS } from './crawl-option-rows.ts'

const words = catalogue({
  en: {
    crawl: `Examples
  escalona crawl https://ufmg.br/ -n 1000 --contact you@ufmg.br
                         collect 1,000 pages into the folder crawl
  escalona crawl ufmg.br puc-rio.br -n 100k -o brasil --scope domain
                         stay in the domains of the seeds; https:// is assumed
  escalona crawl sitemap:https://ufmg.br/sitemap.xml
                         collect the pages that a sitemap names
  escalona crawl -s seeds.txt --max-time 8h --max-bytes 50GB
                         one URL per line in seeds.txt
  escalona crawl -s seeds.txt -n 100 -d | head
                         one JSON line per page on standard output
  escalona crawl --config crawl.toml --add https://ufop.br/
                         settings from a file, plus one more seed
  escalona crawl -s seeds.txt --frontier redis://10.0.0.5:6379/brasil -o part1
                         share the crawl with other machines, which join without seeds
  escalona crawl ufmg.br --recrawl --recrawl-min 1h
                         keep the pages fresh: visit them again until stopped
  escalona crawl ufmg.br --ui
                         watch and steer the crawl in a browser; the address is printed
After Ctrl-C, a kill or a power cut, the same command or escalona resume DIR continues the crawl.

Usage: escalona crawl [URL…] [-s FILE|URL|-]… [options]
`,
    resume: `Examples
  escalona resume crawl                     continue with the seeds and settings kept in the folder
  escalona resume crawl -n 200k             … up to 200,000 pages in all
  escalona resume crawl https://ufop.br/    … with one more seed
  escalona resume crawl --retry failed      … and retry what failed
  escalona resume crawl --recrawl due       … and visit the pages again that are due
  escalona resume crawl --rebuild           … with a frontier made again from the archive, if it is damaged
  escalona resume crawl --scope domain      … with another setting; links it now allows come back

Usage: escalona resume DIR [URL…] [options]
URLs are added to the seeds. Settings not given stay as they were. --limit none removes a limit, and
likewise for other options.
`,
    groups: {
      what: '',
      resuming: 'Resuming a crawl',
      politeness: 'Politeness',
      where: 'Which links',
      again: 'Visiting pages again',
      requests: 'Requests',
      network: 'Network and secrets',
      ui: 'Live page',
      output: 'Output',
    },
    rest: `
T       250ms, 10s, 2m, 8h or 1d
SIZE    500KiB, 10MiB, 50GB, or a number of bytes
N       100000, 100_000, 100k, 1.5M or 1e5; none removes a limit
HOST    example.org, *.example.org or http://example.org, with the port if the URL has one;
        env:NAME in place of a secret reads it from the environment
URL     of a frontier: its password may be in ESCALONA_REDIS_PASSWORD instead; never kept in DIR
In DIR  archive/*.warc.gz, index.cdxj, pages.jsonl, failures.jsonl, frontier/, crawl.toml, report.html
Exit codes: 0 limit reached or nothing left, 1 nothing was archived, 2 wrong usage or an error,
            130 interrupted by Ctrl-C (128 + signal)
`,
  },
  pt: {
    crawl: `Exemplos
  escalona crawl https://ufmg.br/ -n 1000 --contact voce@ufmg.br
                         coleta 1.000 páginas na pasta crawl
  escalona crawl ufmg.br puc-rio.br -n 100k -o brasil --scope domain
                         fica nos domínios das sementes; https:// é subentendido
  escalona crawl sitemap:https://ufmg.br/sitemap.xml
                         coleta as páginas que um sitemap indica
  escalona crawl -s sementes.txt --max-time 8h --max-bytes 50GB
                         uma URL por linha em sementes.txt
  escalona crawl -s sementes.txt -n 100 -d | head
                         uma linha JSON por página na saída padrão
  escalona crawl --config crawl.toml --add https://ufop.br/
                         configurações de um arquivo, e mais uma semente
  escalona crawl -s sementes.txt --frontier redis://10.0.0.5:6379/brasil -o parte1
                         divide a coleta com outras máquinas, que entram sem sementes
  escalona crawl ufmg.br --recrawl --recrawl-min 1h
                         mantém as páginas em dia: visita-as de novo até ser interrompida
  escalona crawl ufmg.br --ui
                         acompanha e dirige a coleta num navegador; o endereço é mostrado
Depois de Ctrl-C, kill ou falta de luz, o mesmo comando ou escalona resume DIR continua a coleta.

Uso: escalona crawl [URL…] [-s ARQUIVO|URL|-]… [opções]
`,
    resume: `Exemplos
  escalona resume crawl                     continua com as sementes e configurações guardadas na pasta
  escalona resume crawl -n 200k             … até 200.000 páginas no total
  escalona resume crawl https://ufop.br/    … com mais uma semente
  escalona resume crawl --retry failed      … e tenta de novo o que falhou
  escalona resume crawl --recrawl due       … e visita de novo as páginas cuja hora chegou
  escalona resume crawl --rebuild           … com a fronteira refeita a partir do acervo, se danificada
  escalona resume crawl --scope domain      … com outra configuração; o que ela permite volta à fila

Uso: escalona resume DIR [URL…] [opções]
URLs são acrescentadas às sementes. O que não for indicado fica como estava. --limit none retira um
limite, e o mesmo vale para outras opções.
`,
    groups: {
      what: '',
      resuming: 'Continuar uma coleta',
      politeness: 'Educação',
      where: 'Quais links',
      again: 'Visitar páginas de novo',
      requests: 'Requisições',
      network: 'Rede e segredos',
      ui: 'Página ao vivo',
      output: 'Saída',
    },
    rest: `
T         250ms, 10s, 2m, 8h ou 1d
SIZE      500KiB, 10MiB, 50GB ou um número de bytes
N         100000, 100_000, 100k, 1.5M ou 1e5; none retira um limite
HOST      example.org, *.example.org ou http://example.org, com a porta se a URL tiver uma;
          env:NOME no lugar de um segredo o lê do ambiente
URL       de uma fronteira: a senha pode estar em ESCALONA_REDIS_PASSWORD; nunca é guardada em DIR
Em DIR    archive/*.warc.gz, index.cdxj, pages.jsonl, failures.jsonl, frontier/, crawl.toml, report.html
Códigos de saída: 0 limite atingido ou nada mais a fazer, 1 nada foi arquivado, 2 uso errado ou um erro,
                  130 interrompido por Ctrl-C (128 + sinal)
`,
  },
})

export function crawlHelp(): HelpTexts {
  return { head: words().crawl + groupLines(() => true), rest: words().rest }
}

export function resumeHelp(): HelpTexts {
  return { head: words().resume + groupLines(name => Object.hasOwn(RESUME_OPTIONS, name)), rest: words().rest }
}

function groupLines(isWanted: (name: string) => boolean): string {
  return Object.entries(CRAWL_GROUPS)
    .map(([group, rows]) => {
      const wanted = Object.entries(rows).filter(([name]) => isWanted(name))
      const title = words().groups[group as CrawlGroup]
      return `${title === '' ? '' : `\n${title}\n`}${optionLines(Object.fromEntries(wanted), crawlOptionTexts())}`
    })
    .join('')
}

const ownTexts = catalogue<Readonly<Record<OwnOption, string>>>({
  en: {
    seeds: 'a file with one URL per line, a URL with its scheme, sitemap:URL, or - for standard input; repeatable',
    output: 'the folder where everything is kept (default: crawl)',
    frontier:
      'share the crawl with other machines: redis://HOST:PORT[,…]/NAME[?shards=64&wait=1], or rediss://; the first machine brings seeds and settings, the others join without',
    config: 'read settings from a TOML or JSON file whose keys are these options; the command line overrides it',
    add: 'add seeds that the crawl in DIR does not have yet',
    rebuild: 'make the frontier again from the archive, if it is damaged or missing; nothing is fetched twice',
    retry: 'put links back in the queue: failed, refused, held, or a reason such as status-503; repeatable',
    fresh: 'remove the crawl in DIR and start over; asks first',
    yes: 'do not ask for confirmation',
    header: '"HOST: Name: value": a header for this host only; never logged; repeatable',
    cookie: 'HOST=NAME=VALUE: a cookie for this host only, over https unless HOST begins with http://; repeatable',
    auth: 'HOST=USER:PASSWORD: a login (Basic) for this host only, over https unless HOST begins with http://; repeatable',
    ui: 'show the crawl live in a browser, and steer it there, on this port (default: a free one); the address is printed',
    'ui-bind': 'the address that the live page is served on (default 127.0.0.1: only this machine)',
    'ui-token': 'the token that the live page asks for (default: a new one), better set in ESCALONA_UI_TOKEN',
    debug: 'one JSON line per page on standard output: URL, Title, Text, Timestamp',
    quiet: 'print nothing but errors and the address of the live page',
    log: 'messages as text (default), json (one object per line) or none',
    lang: 'the language of messages and reports: en or pt (default: from LANG)',
    help: 'this page',
  },
  pt: {
    seeds: 'um arquivo com uma URL por linha, uma URL com esquema, sitemap:URL, ou - para a entrada padrão; repetível',
    output: 'a pasta onde tudo é guardado (padrão crawl)',
    frontier:
      'divide a coleta com outras máquinas: redis://HOST:PORTA[,…]/NOME[?shards=64&wait=1], ou rediss://; a primeira máquina traz sementes e configurações, as outras entram sem elas',
    config: 'lê configurações de um arquivo TOML ou JSON, com os nomes destas opções; a linha de comando prevalece',
    add: 'acrescenta sementes que a coleta em DIR ainda não tem',
    rebuild: 'refaz a fronteira a partir do acervo, se danificada ou ausente; nada é buscado duas vezes',
    retry: 'devolve links à fila: failed, refused, held, ou um motivo como status-503; repetível',
    fresh: 'remove a coleta de DIR e começa de novo; pergunta antes',
    yes: 'não pergunta',
    header: '"HOST: Nome: valor": um cabeçalho só para esse host; nunca registrado; repetível',
    cookie: 'HOST=NOME=VALOR: um cookie só para esse host, por https a não ser que HOST comece com http://; repetível',
    auth: 'HOST=USUÁRIO:SENHA: um login (Basic) só para esse host, por https a não ser que HOST comece com http://; repetível',
    ui: 'mostra a coleta ao vivo num navegador, e a dirige de lá, nesta porta (padrão: uma livre); o endereço é mostrado',
    'ui-bind': 'o endereço em que a página ao vivo é servida (padrão 127.0.0.1: só esta máquina)',
    'ui-token': 'o token que a página ao vivo pede (padrão: um novo); melhor em ESCALONA_UI_TOKEN',
    debug: 'uma linha JSON por página na saída padrão: URL, Title, Text, Timestamp',
    quiet: 'nada além de erros e do endereço da página ao vivo',
    log: 'mensagens como text (padrão), json (um objeto por linha) ou none',
    lang: 'o idioma de mensagens e relatórios: en ou pt (padrão: o de LANG)',
    help: 'esta página',
  },
})

const defaultWords = catalogue({
  en: {
    byDefault: (value: string) => ` (default ${value})`,
    otherwise: (what: string) => ` (default: ${what})`,
    repeatable: '; repeatable',
  },
  pt: {
    byDefault: value => ` (padrão ${value})`,
    otherwise: what => ` (padrão: ${what})`,
    repeatable: '; repetível',
  },
})

/** The description of each option, for the help page. */
export function crawlOptionTexts(): Readonly<Record<string, string>> {
  const texts: Record<string, string> = { ...ownTexts() }
  for (const row of ALL_SETTINGS) {
    if (row.option === undefined) continue
    texts[row.option] = row.about[language()] + defaultText(row) + (isRepeatable(row) ? defaultWords().repeatable : '')
    if (row.kind === 'switch') texts[negationOf(row.option)] = row.no[language()]
  }
  return texts
}

function defaultText(row: Setting): string {
  if (row.otherwise !== undefined) return defaultWords().otherwise(row.otherwise[language()])
  if (!isNumber(row)) return ''
  const value = settingsWith({}, 1, '0')[row.name] as number
  return value === Infinity
    ? ''
    : defaultWords().byDefault(row.kind === 'count' ? shortCount(value) : shownNumber(row.kind, value))
}

/** `5M`, `20k`, `48`. */
function shortCount(count: number): string {
  const [unit, factor] = (
    [
      ['M', 1e6],
      ['k', 1e3],
    ] as const
  ).find(([, factor]) => count > 0 && count % factor === 0) ?? ['', 1]
  return `${count / factor}${unit}`
}
