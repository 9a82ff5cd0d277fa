import { catalogue } from '../base/words/language.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../base/words/quantity.ts'
import { shareOf } from '../frontier/importance.ts'
import { shownCause } from '../run/rests.ts'
import { aboutReason } from '../settings/reasons.ts'
import type { HistoryLine, UrlHistory } from './questions/explained-shapes.ts'
import type { ListedHost } from './questions/host-shapes.ts'

/** What `escalona explain` and the live page say about a URL. */
export const historyWords = catalogue({
  en: {
    states: {
      unknown: 'unknown',
      waiting: 'waiting',
      leased: 'being fetched',
      done: 'archived',
      redirected: 'redirected',
      refused: 'refused',
      failed: 'failed',
      held: 'held',
    },
    titles: {
      state: 'state',
      why: 'why',
      target: 'to',
      advice: 'what to do',
      queue: 'queue',
      rank: 'rank',
      again: 'next visit',
      lastVisit: 'last visit',
      attempts: 'tried',
      ended: 'ended',
      from: 'found on',
      repeats: 'repeats',
      page: 'page',
      title: 'title',
      archive: 'archive',
      settings: 'settings',
      robots: 'robots.txt',
      host: 'host',
    },
    unknown: 'no page has linked to it so far, or the link was not followed; to fetch it, add it as a seed with --add',
    auxiliary:
      'it was asked for, but not as a page: as a sitemap, a robots.txt, or in a part of the crawl that was cleared; escalona cat DIR URL --headers prints the answer',
    sitemapSeed: 'it is a sitemap that was given as a seed, and there is no answer so far',
    first: 'next in line at its host',
    before: (count: string, isOne: boolean, isExact: boolean) =>
      `after ${isExact ? '' : 'at least '}${count} ${isOne ? 'other' : 'others'} at its host`,
    rank: {
      prefer: 'before the other links of its host',
      defer: 'after the other links of its host',
      language: 'the page it was found on is in a language that --language does not name',
      formerly: 'by an earlier setting',
      depth: (depth: number) => `by the depth of its path: ${depth}`,
      level: (level: number, levels: number) => `level ${level} of ${levels}`,
      share: (importance: string, links: string, isOne: boolean) =>
        `the page it was found on has the importance ${importance}, divided by ${links} ${isOne ? 'link' : 'links'}`,
      noShare: 'no page gave it importance',
      score: (score: string) => `the page it was found on has the score ${score}`,
      program: 'the rankLink function of the program was asked',
    },
    readyIn: (time: string) => `its host can be asked again in ${time}`,
    readyNow: 'its host can be asked now',
    due: 'it is due',
    againIn: (time: string) => `in ${time} at the earliest, in a run with --recrawl`,
    visitFailed: (time: string, reason: string) => `${time}, brought no page (${reason})`,
    movedSince: 'The page redirects to another one now.',
    changes: {
      new: '',
      changed: ', changed',
      same: ', the same as before',
      gone: ', gone: not there three times in a row',
    },
    down: 'its host is down',
    outage: (reason: string, sentence: string, since: string) => ` since ${since} (${reason}: ${sentence})`,
    downAgain: (time: string | undefined) =>
      `; it is tried again ${time === undefined ? 'now' : `in ${time}`} while the crawl runs, and at every start`,
    hops: (count: number) => `${count} ${count === 1 ? 'link' : 'links'} from a seed`,
    seed: 'it is a seed',
    repeatedBy: (page: string, earlier: string) => `${page} nearly repeats ${earlier}`,
    place: (file: string, offset: number, length: number) => `${file}, byte ${offset}, ${length} bytes`,
    heldNow: (reason: string) => `keep it out (${reason})`,
    letIn: 'let it in',
    robots: {
      unknown: 'unknown: not fetched yet, or more than a day ago',
      trouble: (status: number) => `unknown: it was asked for, and the answer was HTTP ${status}`,
      allowed: 'allowed',
      refused: 'not allowed',
      noLine: 'no line applies to this URL',
      line: (line: number, text: string | undefined) => `line ${line}${text === undefined ? '' : `: ${text}`}`,
    },
    hostCounts: (pages: string, isOne: boolean, waiting: string) =>
      `${pages} ${isOne ? 'page' : 'pages'}, ${waiting} waiting`,
    delay: (time: string) => `asks for ${time} between requests`,
    slowed: (time: string) => `its pages bring little that is new: asked at most every ${time}`,
    failures: (count: number) => `${count} ${count === 1 ? 'failure' : 'failures in a row'}`,
    server: (address: string) => `at ${address}`,
    turns: (received: string, count: string, isOne: boolean, share: string) =>
      `has received ${received} in ${count} ${isOne ? 'turn' : 'turns'}; its next turn comes when no other host that can be asked has more than ${share} per turn, or earlier: one turn in eight goes to all hosts in turn`,
  },
  pt: {
    states: {
      unknown: 'desconhecido',
      waiting: 'esperando',
      leased: 'em coleta',
      done: 'arquivado',
      redirected: 'redirecionado',
      refused: 'recusado',
      failed: 'falhou',
      held: 'retido',
    },
    titles: {
      state: 'estado',
      why: 'por quê',
      target: 'para',
      advice: 'o que fazer',
      queue: 'fila',
      rank: 'ordem',
      again: 'próxima visita',
      lastVisit: 'última visita',
      attempts: 'tentativas',
      ended: 'terminou',
      from: 'achado em',
      repeats: 'repete',
      page: 'página',
      title: 'título',
      archive: 'arquivo',
      settings: 'configurações',
      robots: 'robots.txt',
      host: 'host',
    },
    unknown:
      'nenhuma página até agora levou a ela, ou o link não foi seguido; para coletá-la, acrescente-a como semente com --add',
    auxiliary:
      'foi pedido, mas não como página: como sitemap, robots.txt, ou numa parte da coleta que foi descartada; escalona cat DIR URL --headers imprime a resposta',
    sitemapSeed: 'é um sitemap dado como semente, e ainda não há resposta',
    first: 'a próxima do seu host',
    before: (count, isOne, isExact) =>
      `depois de ${isExact ? '' : 'pelo menos '}${count} ${isOne ? 'outra' : 'outras'} do seu host`,
    rank: {
      prefer: 'antes dos outros links do host',
      defer: 'depois dos outros links do host',
      language: 'a página em que foi achado está em um idioma que --language não indica',
      formerly: 'por uma configuração anterior',
      depth: depth => `pela profundidade do caminho: ${depth}`,
      level: (level, levels) => `nível ${level} de ${levels}`,
      share: (importance, links, isOne) =>
        `a página em que foi achado tem importância ${importance}, dividida por ${links} ${isOne ? 'link' : 'links'}`,
      noShare: 'nenhuma página lhe deu importância',
      score: score => `a página em que foi achado tem score ${score}`,
      program: 'a função rankLink do programa foi consultada',
    },
    readyIn: time => `o host pode ser consultado de novo em ${time}`,
    readyNow: 'o host pode ser consultado agora',
    due: 'está na hora',
    againIn: time => `em ${time} no mínimo, em uma execução com --recrawl`,
    visitFailed: (time, reason) => `${time}, sem trazer página (${reason})`,
    movedSince: 'A página agora redireciona para outra.',
    changes: {
      new: '',
      changed: ', mudou',
      same: ', igual à anterior',
      gone: ', sumiu: três vezes seguidas não estava lá',
    },
    down: 'o host está fora do ar',
    outage: (reason, sentence, since) => ` desde ${since} (${reason}: ${sentence})`,
    downAgain: time =>
      `; é tentado de novo ${time === undefined ? 'agora' : `em ${time}`} enquanto a coleta roda, e a cada início`,
    hops: count => `a ${count} ${count === 1 ? 'link' : 'links'} de uma semente`,
    seed: 'é uma semente',
    repeatedBy: (page, earlier) => `${page} quase repete ${earlier}`,
    place: (file, offset, length) => `${file}, byte ${offset}, ${length} bytes`,
    heldNow: reason => `deixam-na de fora (${reason})`,
    letIn: 'permitem',
    robots: {
      unknown: 'desconhecido: ainda não pedido, ou há mais de um dia',
      trouble: status => `desconhecido: foi pedido, e a resposta foi HTTP ${status}`,
      allowed: 'permitida',
      refused: 'não permitida',
      noLine: 'nenhuma linha trata desta URL',
      line: (line, text) => `linha ${line}${text === undefined ? '' : `: ${text}`}`,
    },
    hostCounts: (pages, isOne, waiting) => `${pages} ${isOne ? 'página' : 'páginas'}, ${waiting} esperando`,
    delay: time => `pede ${time} entre requisições`,
    slowed: time => `suas páginas trazem pouco de novo: consultado no máximo a cada ${time}`,
    failures: count => `${count} ${count === 1 ? 'falha' : 'falhas seguidas'}`,
    server: address => `em ${address}`,
    turns: (received, count, isOne, share) =>
      `recebeu ${received} em ${count} ${isOne ? 'vez' : 'vezes'}; a próxima vez dele vem quando nenhum outro host que possa ser consultado tiver mais de ${share} por vez, ou antes: uma em cada oito vezes é de todos os hosts em rodízio`,
  },
})

/** What there is to say about a URL, in the current language, whatever the language of the history. */
export function historyLines(history: UrlHistory): HistoryLine[] {
  return [
    ...stateLines(history),
    ...foundLines(history),
    ...answerLines(history),
    ...settingLines(history),
    ...robotsLines(history),
    ...hostLines(history),
  ]
}

function line(about: HistoryLine['about'], text: string): HistoryLine {
  return { about, title: historyWords().titles[about], text }
}

function stateLines(history: UrlHistory): HistoryLine[] {
  const { states, unknown, auxiliary, sitemapSeed } = historyWords()
  const lines = [
    line(
      'state',
      history.reason === undefined ? states[history.state] : `${states[history.state]} (${history.reason})`,
    ),
  ]
  if (history.state === 'unknown') {
    const isSitemapSeed = history.hops === 0
    lines.push(line('why', history.answer !== undefined ? auxiliary : isSitemapSeed ? sitemapSeed : unknown))
  }
  if (history.redirectsTo !== undefined) lines.push(line('target', history.redirectsTo))
  if (history.reason !== undefined) {
    const { sentence, advice } = aboutReason(history.reason)
    lines.push(line('why', sentence))
    if (advice !== '') lines.push(line('advice', advice))
  }
  if (history.place !== undefined) lines.push(line('queue', queueText(history)))
  if (history.rank !== undefined) lines.push(line('rank', rankText(history.rank)))
  if (history.againInMs !== undefined) lines.push(line('again', againText(history.againInMs)))
  if (history.failedVisit !== undefined) lines.push(line('lastVisit', failedVisitText(history.failedVisit)))
  if (history.attempts !== undefined && history.attempts > 0) lines.push(line('attempts', shownCount(history.attempts)))
  if (history.failure !== undefined) {
    const { status, atMs } = history.failure
    lines.push(line('ended', new Date(atMs).toISOString() + (status === undefined ? '' : `, HTTP ${status}`)))
  }
  return lines
}

function downText({ outage }: Pick<ListedHost, 'outage'>, readyInMs: number): string {
  const words = historyWords()
  const again = words.downAgain(readyInMs > 0 ? shownDuration(readyInMs) : undefined)
  if (outage === undefined) return words.down + again
  const { sentence } = aboutReason(outage.why)
  return (
    words.down + words.outage(outage.why, sentence.replace(/\.$/, ''), new Date(outage.sinceMs).toISOString()) + again
  )
}

function queueText({ place = 0, isExact, readyInMs = 0, host }: UrlHistory): string {
  const words = historyWords()
  const before = place === 0 ? words.first : words.before(shownCount(place), place === 1, isExact ?? true)
  if (host?.isDown) return `${before}; ${downText(host, readyInMs)}`
  if (readyInMs <= 0) return `${before}; ${words.readyNow}`
  const cause = host?.waitsFor === undefined ? '' : ` (${shownCause(host.waitsFor)})`
  return `${before}; ${words.readyIn(shownDuration(readyInMs))}${cause}`
}

function rankText({
  value,
  by,
  levels = 0,
  setting,
  importance,
  links = 0,
  score,
}: NonNullable<UrlHistory['rank']>): string {
  const { rank: words } = historyWords()
  if (by === 'prefer' || by === 'defer') return `${words[by]}: ${setting ?? words.formerly}`
  if (by === 'language') return `${words.defer}: ${words.language}`
  if (by === 'depth') return words.depth(value - 1)
  const level = words.level(value, levels)
  if (by === 'program') return `${level}: ${words.program}`
  if (by === 'score') return `${level}: ${words.score(shownImportance(score ?? 0))}`
  if (importance === undefined) return `${level}: ${words.noShare}`
  return `${level}: ${words.share(shownImportance(importance), shownCount(links), links === 1)}`
}

function againText(inMs: number): string {
  const words = historyWords()
  return inMs <= 0 ? words.due : words.againIn(shownDuration(inMs))
}

/** A page stays done when a visit again fails: without this, nobody would see that it did. */
function failedVisitText({ atMs, reason }: NonNullable<UrlHistory['failedVisit']>): string {
  const { visitFailed, movedSince } = historyWords()
  const sentence = reason === 'redirected' ? movedSince : aboutReason(reason).sentence
  return `${visitFailed(new Date(atMs).toISOString(), reason)}: ${sentence}`
}

function foundLines({ from, hops, repeats, page }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  const lines: HistoryLine[] = []
  if (from !== undefined) lines.push(line('from', hops === undefined ? from : `${from} (${words.hops(hops)})`))
  else if (hops === 0) lines.push(line('from', words.seed))
  if (repeats !== undefined) lines.push(line('repeats', page ? repeats : words.repeatedBy(from!, repeats)))
  return lines
}

function answerLines({ page, answer }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  const lines: HistoryLine[] = []
  if (page !== undefined) {
    const time = new Date(page.dateMs).toISOString()
    lines.push(line('page', `HTTP ${page.status}, ${shownBytes(page.bytes)}, ${time}${words.changes[page.change]}`))
    if (page.title !== '') lines.push(line('title', page.title))
  }
  const { file, offset, length } = answer ?? {}
  if (file !== undefined) lines.push(line('archive', words.place(`archive/${file}`, offset!, length!)))
  return lines
}

/** The current settings; they may differ from those in force when the link was judged. */
function settingLines({ heldBy, setting, state }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  if (heldBy !== undefined)
    return [line('settings', `${words.heldNow(setting ?? heldBy)}: ${aboutReason(heldBy).sentence}`)]
  return state === 'done' || state === 'redirected' ? [] : [line('settings', words.letIn)]
}

function robotsLines({ robots }: UrlHistory): HistoryLine[] {
  const { robots: texts } = historyWords()
  if (robots.kind === 'unknown')
    return [line('robots', robots.status === undefined ? texts.unknown : texts.trouble(robots.status))]
  const because = robots.line === undefined ? texts.noLine : texts.line(robots.line, robots.text)
  return [line('robots', `${robots.kind === 'allowed' ? texts.allowed : texts.refused}; ${because}`)]
}

function hostLines({ host }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  if (host === undefined) return []
  const { waiting, pages, failures, delayMs, slowedMs, server } = host
  const facts = [words.hostCounts(shownCount(pages), pages === 1, shownCount(waiting))]
  if (delayMs > 0) facts.push(words.delay(shownDuration(delayMs)))
  if (slowedMs !== undefined) facts.push(words.slowed(shownDuration(slowedMs)))
  if (failures > 0) facts.push(words.failures(failures))
  if (server !== undefined) facts.push(words.server(server))
  const turns = turnText(host)
  return [line('host', `${host.host}: ${facts.join(', ')}${turns === undefined ? '' : `; ${turns}`}`)]
}

/** With the strategy `important`: what a host has received, and when its next turn comes; undefined with the others. */
export function turnText({
  received,
  turns,
  isByShare,
}: Pick<ListedHost, 'received' | 'turns' | 'isByShare'>): string | undefined {
  if (!isByShare) return undefined
  const share = shownImportance(shareOf(received, turns))
  return historyWords().turns(shownImportance(received), shownCount(turns), turns === 1, share)
}

/** With three digits that count, and at most eight after the point. */
export function shownImportance(importance: number): string {
  const rounded = Number(importance.toPrecision(3))
  const [, decimals = ''] = rounded.toFixed(8).replace(/0+$/, '').split('.')
  return decimals === '' ? shownCount(rounded) : shownDecimal(rounded, decimals.length)
}
