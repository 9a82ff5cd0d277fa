import { catalogue } from '../../base/words/language.ts'
import { counted } from '../../base/words/quantity.ts'

export const auditWords = catalogue({
  en: {
    head: `Examples
  escalona audit site.warc.gz                    how polite the crawler that wrote it was
  escalona audit archives --delay 1s --robots    exit code 1 if a gap was shorter, or robots.txt not obeyed
  escalona audit crawl --host '*.example.org'    only what concerns these hosts
  escalona audit crawl --course                  a crawler of the course, to be graded
  escalona audit site.warc.gz --json | jq .breaches

Usage: escalona audit FILES… [options]

Reads WARC files of any crawler (.warc, .warc.gz, folders of them, the folder of a crawl) and says
for each host: how many requests it received, the gaps between them, whether they came one at a
time, what robots.txt forbade, what came too early after Retry-After, and which URLs were asked for again.

`,
    options: {
      delay: 'a gap between two requests to a host that is shorter, or a request within Retry-After, is a breach',
      robots: 'a request that robots.txt forbade, or that came within its Crawl-delay, is a breach',
      course: 'rules of the course: --delay 100ms, --robots, 1,000 pages per file, only HTML, no page twice',
      host: "only this host, with its port if it has one; * matches any text: '*.example.org'",
      limit: 'at most N hosts and N breaches (default 50)',
      json: 'one JSON object with everything, all hosts included',
      quiet: 'no progress bar',
    },
    rest: `
A breach is reported only if the times in the files, taken as those of sending, leave no doubt: times to the second
can hide short gaps.
Below the table it says what can't be known from these files.

Exit codes: 0 no breach, 1 a breach, 2 wrong usage, or a file that can't be read or is damaged
`,
    noFiles: 'audit needs FILES: WARC files, or folders with some',
    badDelay: (text: string) => `--delay takes a duration such as 250ms, 10s, 2m or 8h, not ${text}`,
    reading: 'reading WARC files',
    titles: {
      host: 'HOST',
      requests: 'REQUESTS',
      smallest: 'SMALLEST GAP',
      median: 'MEDIAN GAP',
      oneAtATime: 'ONE AT A TIME',
      robots: 'ROBOTS.TXT',
      forbidden: 'FORBIDDEN',
      retryAfter: 'IN RETRY-AFTER',
      repeats: 'REPEATS',
    },
    oneAtATime: (is: boolean | undefined): string => (is === undefined ? 'not known' : is ? 'yes' : 'no'),
    robots: { archived: 'archived', missing: 'missing' },
    moreHosts: (count: string) => `… and ${count} more hosts; -n shows more`,
    counts: (files: number, records: number, requests: number, hosts: number) =>
      `${counted(files, 'file', 'files')}, ${counted(records, 'record', 'records')}, ${counted(requests, 'request', 'requests')} to ${counted(hosts, 'host', 'hosts')}`,
    span: (from: string, to: string, duration: string) => `from ${from} to ${to} (${duration})`,
    software: (names: string) => `written by ${names}`,
    agent: (name: string, from: string, requests: string, hasContact: boolean | undefined) =>
      `User-Agent ${name}${from === '' ? '' : `, From ${from}`} (requests: ${requests})${hasContact === undefined ? '' : hasContact ? ', names a contact' : ', names no contact'}`,
    unknownAgent: 'not known',
    noAgent: 'missing',
    moreAgents: (count: string) => `… and ${count} more User-Agents`,
    notJudged: 'No rule was given to judge by: see --delay, --robots and --course.',
    noBreaches: 'No breach found.',
    breaches: 'Breaches:',
    moreBreaches: (count: string) => `… and ${count} more; -n shows more`,
    breachOf: {
      delay: (host: string, count: number, from: string, to: string, delay: string) =>
        `${host}: ${counted(count, 'gap', 'gaps')} shorter than ${delay}, the first between ${from} and ${to}`,
      'retry-after': (host: string, count: number, from: string, to: string, _delay: string) =>
        `${host}: ${counted(count, 'request', 'requests')} within Retry-After, the first at ${to} after the answer to a request of ${from}`,
      'crawl-delay': (host: string, count: number, from: string, to: string, _delay: string) =>
        `${host}: ${counted(count, 'gap', 'gaps')} shorter than its Crawl-delay, the first between ${from} and ${to}`,
      robots: (host: string, count: number, url: string, at: string, line: number | undefined) =>
        `${host}: ${counted(count, 'request', 'requests')} that robots.txt forbade, the first ${url} at ${at}, ${line === undefined ? 'when robots.txt could not be had' : `by its line ${line}`}`,
      repeat: (host: string, count: number, at: string) =>
        `${host}: ${counted(count, 'request', 'requests')} for a URL that had been answered, the first at ${at}`,
      'not-html': (file: string, count: number, url: string) =>
        `${file}: ${counted(count, 'body that is not HTML', 'bodies that are not HTML')}, the first ${url}`,
      'pages-per-file': (file: string, pages: string) =>
        `${file}: pages: ${pages}; every file has 1,000, only the last may have fewer`,
    },
    howSure: (isSure: boolean): string =>
      isSure ? 'How sure this is: every figure follows from the files.' : 'How sure this is:',
    doubts: {
      'no-request-record': (_n: number, shown: string, all: number) =>
        `${shown} of ${all} requests have no request record: only those that were answered and archived are counted`,
      'to-the-second': (_n: number, shown: string, _all: number) =>
        `times are named to the second (${shown} requests): a gap (~) may be up to a second longer or shorter`,
      'time-of-answer': (_n: number, shown: string, _all: number) =>
        `of ${shown} requests it is not known whether WARC-Date is when they were sent or when the answer was stored`,
      'no-end': (_n: number, shown: string, _all: number) =>
        `of ${shown} requests the end is not known: others may have been sent meanwhile`,
      'no-robots': (n: number, shown: string, _all: number) =>
        `${n === 1 ? 'of one host' : `of ${shown} hosts`} no robots.txt is archived: what it forbade is not known`,
      'no-agent': (_n: number, shown: string, _all: number) =>
        `of ${shown} requests the User-Agent is not known: they are judged by what robots.txt says to everybody`,
      'no-date': (_n: number, shown: string, _all: number) =>
        `records without a readable WARC-Date, left out: ${shown}`,
      'robots-left-out': (_n: number, shown: string, _all: number) =>
        `robots.txt files that were not judged, since there were too many: ${shown}`,
      'cut-file': (_n: number, shown: string, _all: number) => `files that end inside of a record: ${shown}`,
      'damaged-file': (_n: number, shown: string, _all: number) =>
        `files that are damaged, read up to the damage: ${shown}`,
      'foreign-file': (_n: number, shown: string, _all: number) => `files without a WARC record: ${shown}`,
    },
    ends: {
      cut: (path: string) => `${path} ends inside of a record`,
      damaged: (path: string) => `${path} is damaged; what follows the damage was not read`,
      foreign: (path: string) => `${path} has no WARC record`,
    },
  },
  pt: {
    head: `Exemplos
  escalona audit site.warc.gz                    quão educado foi o coletor que o escreveu
  escalona audit acervos --delay 1s --robots     código de saída 1 se um intervalo foi menor, ou robots.txt desobedecido
  escalona audit crawl --host '*.example.org'    só o que diz respeito a esses hosts
  escalona audit crawl --course                  um coletor da disciplina, para dar nota
  escalona audit site.warc.gz --json | jq .breaches

Uso: escalona audit ARQUIVOS… [opções]

Lê arquivos WARC de qualquer coletor (.warc, .warc.gz, pastas com eles, a pasta de uma coleta) e diz,
para cada host: quantas requisições recebeu, os intervalos entre elas, se vieram uma por vez, o que o
robots.txt proibia, o que veio cedo demais depois de um Retry-After, e que URLs foram pedidas de novo.

`,
    options: {
      delay:
        'um intervalo menor entre duas requisições a um host, ou uma requisição dentro do Retry-After, é uma violação',
      robots: 'uma requisição que o robots.txt proibia, ou que veio dentro do Crawl-delay dele, é uma violação',
      course:
        'regras da disciplina: --delay 100ms, --robots, 1.000 páginas por arquivo, só HTML, nenhuma página duas vezes',
      host: "só este host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
      limit: 'no máximo N hosts e N violações (padrão 50)',
      json: 'um objeto JSON com tudo, inclusive todos os hosts',
      quiet: 'sem barra de progresso',
    },
    rest: `
Uma violação só é relatada se os horários nos arquivos, tomados como os do envio, não deixam dúvida:
com precisão de segundos, intervalos curtos podem ficar escondidos.
Abaixo da tabela está o que não se pode saber por estes arquivos.

Códigos de saída: 0 sem violação, 1 violação, 2 uso errado, ou arquivo ilegível ou danificado
`,
    noFiles: 'audit precisa de ARQUIVOS: arquivos WARC, ou pastas com eles',
    badDelay: text => `--delay recebe uma duração como 250ms, 10s, 2m ou 8h, não ${text}`,
    reading: 'lendo arquivos WARC',
    titles: {
      host: 'HOST',
      requests: 'REQUISIÇÕES',
      smallest: 'MENOR INTERVALO',
      median: 'MEDIANA',
      oneAtATime: 'UMA POR VEZ',
      robots: 'ROBOTS.TXT',
      forbidden: 'PROIBIDAS',
      retryAfter: 'EM RETRY-AFTER',
      repeats: 'REPETIDAS',
    },
    oneAtATime: is => (is === undefined ? 'não se sabe' : is ? 'sim' : 'não'),
    robots: { archived: 'arquivado', missing: 'falta' },
    moreHosts: count => `… e mais ${count} hosts; -n mostra mais`,
    counts: (files, records, requests, hosts) =>
      `${counted(files, 'arquivo', 'arquivos')}, ${counted(records, 'registro', 'registros')}, ${counted(requests, 'requisição', 'requisições')} a ${counted(hosts, 'host', 'hosts')}`,
    span: (from, to, duration) => `de ${from} a ${to} (${duration})`,
    software: names => `escrito por ${names}`,
    agent: (name, from, requests, hasContact) =>
      `User-Agent ${name}${from === '' ? '' : `, From ${from}`} (requisições: ${requests})${hasContact === undefined ? '' : hasContact ? ', informa um contato' : ', não informa contato'}`,
    unknownAgent: 'desconhecido',
    noAgent: 'ausente',
    moreAgents: count => `… e mais ${count} User-Agents`,
    notJudged: 'Nenhuma regra foi dada para julgar: veja --delay, --robots e --course.',
    noBreaches: 'Nenhuma violação encontrada.',
    breaches: 'Violações:',
    moreBreaches: count => `… e mais ${count}; -n mostra mais`,
    breachOf: {
      delay: (host, count, from, to, delay) =>
        `${host}: ${counted(count, 'intervalo menor', 'intervalos menores')} que ${delay}, o primeiro entre ${from} e ${to}`,
      'retry-after': (host, count, from, to) =>
        `${host}: ${counted(count, 'requisição', 'requisições')} dentro do Retry-After, a primeira em ${to}, depois da resposta a uma requisição de ${from}`,
      'crawl-delay': (host, count, from, to) =>
        `${host}: ${counted(count, 'intervalo menor', 'intervalos menores')} que o Crawl-delay, o primeiro entre ${from} e ${to}`,
      robots: (host, count, url, at, line) =>
        `${host}: ${counted(count, 'requisição que o robots.txt proibia', 'requisições que o robots.txt proibia')}, a primeira ${url} em ${at}, ${line === undefined ? 'quando o robots.txt não pôde ser obtido' : `pela linha ${line}`}`,
      repeat: (host, count, at) =>
        `${host}: ${counted(count, 'requisição', 'requisições')} de uma URL já respondida, a primeira em ${at}`,
      'not-html': (file, count, url) =>
        `${file}: ${counted(count, 'corpo que não é HTML', 'corpos que não são HTML')}, o primeiro ${url}`,
      'pages-per-file': (file, pages) =>
        `${file}: páginas: ${pages}; cada arquivo tem 1.000, só o último pode ter menos`,
    },
    howSure: isSure => (isSure ? 'Grau de certeza: cada número decorre dos arquivos.' : 'Grau de certeza:'),
    doubts: {
      'no-request-record': (_n, shown, all) =>
        `${shown} de ${all} requisições não têm registro de requisição: só contam as que foram respondidas e arquivadas`,
      'to-the-second': (_n, shown) =>
        `os horários têm precisão de segundos (${shown} requisições): um intervalo (~) pode ser até um segundo maior ou menor`,
      'time-of-answer': (_n, shown) =>
        `de ${shown} requisições não se sabe se WARC-Date é o momento do envio ou o do armazenamento da resposta`,
      'no-end': (_n, shown) =>
        `de ${shown} requisições não se sabe o fim: outras podem ter sido enviadas nesse meio-tempo`,
      'no-robots': (n, shown) =>
        `${n === 1 ? 'de um host' : `de ${shown} hosts`} não há robots.txt arquivado: não se sabe o que ele proibia`,
      'no-agent': (_n, shown) =>
        `de ${shown} requisições não se sabe o User-Agent: são julgadas pelo que o robots.txt diz a todos`,
      'no-date': (_n, shown) => `registros sem WARC-Date legível, deixados de fora: ${shown}`,
      'robots-left-out': (_n, shown) => `arquivos robots.txt não julgados, por serem muitos: ${shown}`,
      'cut-file': (_n, shown) => `arquivos que terminam dentro de um registro: ${shown}`,
      'damaged-file': (_n, shown) => `arquivos danificados, lidos até o dano: ${shown}`,
      'foreign-file': (_n, shown) => `arquivos sem registro WARC: ${shown}`,
    },
    ends: {
      cut: path => `${path} termina dentro de um registro`,
      damaged: path => `${path} está danificado; o que vem depois do dano não foi lido`,
      foreign: path => `${path} não tem registro WARC`,
    },
  },
})
