import { catalogue, language } from '../../base/words/language.ts'
import { isNumber, shownNumber } from '../../settings/number-kinds.ts'
import { isRepeatable } from '../../settings/setting-texts.ts'
import { settingsWith } from '../../settings/settings.ts'
import { ALL_SETTINGS, type Setting } from '../../settings/settings-table.ts'
import { negationOf, type OwnOption } from './crawl-option-rows.ts'

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

const words = catalogue({
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
    texts[row.option] = row.about[language()] + defaultText(row) + (isRepeatable(row) ? words().repeatable : '')
    if (row.kind === 'switch') texts[negationOf(row.option)] = row.no[language()]
  }
  return texts
}

function defaultText(row: Setting): string {
  if (row.otherwise !== undefined) return words().otherwise(row.otherwise[language()])
  if (!isNumber(row)) return ''
  const value = settingsWith({}, 1, '0')[row.name] as number
  return value === Infinity
    ? ''
    : words().byDefault(row.kind === 'count' ? shortCount(value) : shownNumber(row.kind, value))
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
