// The sentences of reasons.ts, in both languages.
import { catalogue } from '../base/words/language.ts'
import type { Failure } from '../fetch/exchange.ts'
import type { RuleRefusal } from './link-rules.ts'
import { UNFOLLOWED, type UnfollowedReason } from './unfollowed-words.ts'

/** A setting of the crawl keeps the link out. */
export type HeldReason =
  | RuleRefusal
  | 'max-per-host'
  | 'address'
  | 'filtered'
  | 'language'
  | 'page-language'
  | 'near-duplicate'
/** The host's answer or its robots.txt refuses the link. */
export type RefusedReason =
  | 'robots'
  | 'robots-unavailable'
  | 'type'
  | 'noindex'
  | 'noarchive'
  | 'malformed'
  | 'sitemap'
  | 'sitemap-none'
  | 'cleared'
/** An error, after all retries. */
export type FailedReason =
  | Failure
  | 'challenge'
  | 'proxy'
  | 'proxy-login'
  | 'proxy-refused'
  | 'worker-died'
  | 'not-modified'
/** Why a known link ended without a page. Besides these there are statuses (`status-404`) and failures of robots.txt (`robots-timeout`). */
export type KnownReason = HeldReason | RefusedReason | FailedReason
/** What a status other than success is about: a login is missing, the host has too much to do, it is broken, or anything else. */
export type StatusKind = 'login' | 'busy' | 'broken' | 'other'

/** What happened, and what to do about it. */
export type Explained = readonly [sentence: string, advice: string]

interface Texts {
  readonly known: Readonly<Record<KnownReason, Explained>>
  readonly unfollowed: Readonly<Record<UnfollowedReason, Explained>>
  /** For a link that ended with an HTTP status. */
  readonly status: (meaning: string) => string
  /** The meaning of a status without a name, by its first digit. */
  readonly statusClass: Readonly<Record<string, string>>
  readonly statusAdvice: Readonly<Record<StatusKind, (reason: string) => string>>
  /** Wraps a sentence about a failure that happened to robots.txt. */
  readonly robots: (sentence: string) => string
  readonly robotsAdvice: string
  /** The same for a sitemap. */
  readonly sitemap: (sentence: string) => string
  readonly sitemapAdvice: string
  readonly unknown: (reason: string) => Explained
}

const RETRY = 'Try it again with --retry'
const DE_NOVO = 'Tente de novo com --retry'

export const reasonWords = catalogue<Texts>({
  en: {
    known: {
      scope: [
        'The link is outside the scope.',
        'Use a wider --scope: domain is wider than host, and any is wider than domain.',
      ],
      'max-depth': ['The link is further away from a seed than --max-depth allows.', 'Raise --max-depth.'],
      include: ['No --include pattern matches the URL.', 'Add a pattern that matches it with --include.'],
      exclude: ['An --exclude pattern matches the URL.', 'Remove or narrow the --exclude pattern that matches it.'],
      'host-in-path': [
        'The name of the host, or of another one, occurs twice in the path, as in links that lack https://.',
        'If the page is a real one, let such URLs in with --loops.',
      ],
      'repeated-pair': [
        'The query has the same pair of name and value three times or more.',
        'If the page is a real one, let such URLs in with --loops.',
      ],
      'max-per-host': ['The host has as many archived pages as --max-per-host allows.', 'Raise --max-per-host.'],
      address: ['The host has an address that is not public.', 'Allow its network with --allow-network.'],
      language: [
        'The page is in a language that --only-language does not name.',
        'Add the language to --only-language.',
      ],
      'page-language': [
        'The page that it was found on is in a language that --only-language does not name.',
        'Add the language of that page to --only-language.',
      ],
      filtered: ["The caller's filterLink function refused it.", `Change the function. ${RETRY} filtered.`],
      'near-duplicate': [
        'The page that it was found on nearly repeats an earlier page of its host.',
        'If such pages lead somewhere, use --near-duplicates follow.',
      ],
      robots: [
        "The host's robots.txt does not allow it.",
        'Ask the people who run the host. Another --user-agent is judged by its own rules.',
      ],
      'robots-unavailable': [
        "The host's robots.txt is on another host, which did not answer; until it does, nothing is allowed.",
        `${RETRY} robots-unavailable.`,
      ],
      type: ['It is not HTML; the body was not downloaded.', 'Only HTML is collected; there is nothing to change.'],
      noindex: [
        'The page asks not to be indexed. Its links were followed.',
        'That is up to the page; there is nothing to change.',
      ],
      noarchive: [
        'The page asks not to be archived. Its links were followed.',
        'That is up to the page; there is nothing to change.',
      ],
      malformed: ['The URL is not valid.', 'Correct the link where it was found.'],
      sitemap: ['It is a sitemap, and sitemaps are not read in this crawl.', 'Read them with --sitemaps.'],
      'sitemap-none': ['It is not a sitemap.', 'Correct the line in robots.txt, or the seed, that names it.'],
      cleared: ["The host's queue was cleared by hand.", `${RETRY} cleared.`],
      dns: ['The host name could not be resolved.', `Check the name and your DNS. ${RETRY} dns.`],
      connect: ['No connection could be made.', `Check that the host is up. ${RETRY} connect.`],
      tls: [
        'No encrypted connection could be made: what the host speaks is not TLS, or not one that is accepted here.',
        `${RETRY} tls once it has been fixed.`,
      ],
      'tls-expired': [
        "The host's certificate has expired.",
        `Check the clock of this machine. ${RETRY} tls-expired once the certificate has been renewed.`,
      ],
      'tls-not-yet-valid': [
        "The host's certificate is not valid yet.",
        `Check the clock of this machine. ${RETRY} tls-not-yet-valid.`,
      ],
      'tls-self-signed': [
        "The host's certificate is signed by itself, so no authority vouches for it.",
        `If you trust it, name a file that holds it with --ca. ${RETRY} tls-self-signed.`,
      ],
      'tls-wrong-name': [
        "The host's certificate is for other names.",
        `Check the name in the link. ${RETRY} tls-wrong-name once the certificate has been replaced.`,
      ],
      'tls-unknown-issuer': [
        "The host's certificate comes from an authority that is not trusted here, or the host does not send the certificates in between.",
        `If you trust the authority, name a file with its certificate with --ca. ${RETRY} tls-unknown-issuer.`,
      ],
      timeout: ['The answer did not arrive in time.', `Raise --timeout. ${RETRY} timeout.`],
      reset: ['The host closed the connection in the middle of the answer.', `${RETRY} reset.`],
      length: ['The answer was shorter than announced.', `${RETRY} length.`],
      protocol: ['The answer was not valid HTTP.', `Try the URL with another client. ${RETRY} protocol.`],
      headers: [
        'The headers of the answer were too long or too many.',
        `Try the URL with another client. ${RETRY} headers.`,
      ],
      encoding: ['The answer could not be decompressed.', `${RETRY} encoding.`],
      files: ['This machine was out of file descriptors, ports or memory.', `Raise ulimit -n. ${RETRY} files.`],
      network: ['This machine had no network.', `${RETRY} network.`],
      stopped: ['The crawl was stopped while the request was open.', `${RETRY} stopped.`],
      proxy: ['The proxy could not be reached.', `Check the address of the proxy. ${RETRY} proxy.`],
      'proxy-login': [
        'The proxy requires a login.',
        `Give the user name and password with --proxy. ${RETRY} proxy-login.`,
      ],
      'proxy-refused': [
        'The proxy refused to connect to the host.',
        `Ask the people who run the proxy. ${RETRY} proxy-refused.`,
      ],
      'worker-died': ['Reading the page crashed its worker thread twice.', 'Please report the URL as a bug.'],
      challenge: [
        'The host answered with a challenge page, which wants to find out whether a person asks.',
        `Contact the people who run the host and ask for access, name yourself with --contact or --user-agent, and raise --delay. ${RETRY} challenge.`,
      ],
      'not-modified': [
        'The host answered that the page has not changed, although it was asked for the whole page.',
        `The host is broken; there is nothing to change here. ${RETRY} not-modified.`,
      ],
    },
    unfollowed: UNFOLLOWED.en,
    status: meaning => `The host answered ${meaning}.`,
    statusClass: {
      1: '(interim answer)',
      2: '(success)',
      3: '(redirect without a target)',
      4: '(client error)',
      5: '(server error)',
    },
    statusAdvice: {
      login: reason => `If you have a login, give it with --auth, --cookie or --header. ${RETRY} ${reason}.`,
      busy: reason => `Raise --delay. ${RETRY} ${reason}.`,
      broken: reason => `The host may have recovered. ${RETRY} ${reason}.`,
      other: reason => `If that may have changed, try it again with --retry ${reason}.`,
    },
    robots: sentence => `While fetching robots.txt: ${sentence}`,
    robotsAdvice: 'Open it in a browser: pages of this host wait until it can be read. The next run tries again.',
    sitemap: sentence => `While fetching a sitemap: ${sentence}`,
    sitemapAdvice:
      'Open it in a browser. It is read again by the next run; the pages that it names may be found by links, too.',
    unknown: reason => [`The reason is ${reason}, which this version does not know.`, `${RETRY} ${reason}.`],
  },
  pt: {
    known: {
      scope: [
        'O link sai do escopo.',
        'Use um --scope mais amplo: domain é mais amplo que host, e any mais que domain.',
      ],
      'max-depth': ['O link está mais longe de uma semente do que --max-depth permite.', 'Aumente --max-depth.'],
      include: ['Nenhum padrão de --include combina com a URL.', 'Acrescente um padrão com --include.'],
      exclude: [
        'Um padrão de --exclude combina com a URL.',
        'Tire ou restrinja o padrão de --exclude que combina com ela.',
      ],
      'host-in-path': [
        'O nome do host, ou de outro, ocorre duas vezes no caminho, como em links sem https://.',
        'Se a página existe de fato, permita URLs assim com --loops.',
      ],
      'repeated-pair': [
        'A consulta tem o mesmo par de nome e valor três vezes ou mais.',
        'Se a página existe de fato, permita URLs assim com --loops.',
      ],
      'max-per-host': [
        'O host já tem tantas páginas arquivadas quanto --max-per-host permite.',
        'Aumente --max-per-host.',
      ],
      address: ['O host tem um endereço que não é público.', 'Permita a rede dele com --allow-network.'],
      language: [
        'A página está em um idioma que --only-language não indica.',
        'Acrescente o idioma a --only-language.',
      ],
      'page-language': [
        'A página em que foi achado está em um idioma que --only-language não indica.',
        'Acrescente o idioma dessa página a --only-language.',
      ],
      filtered: ['A função filterLink do programa o recusou.', `Mude a função. ${DE_NOVO} filtered.`],
      'near-duplicate': [
        'A página em que foi achado quase repete uma página anterior do mesmo host.',
        'Se essas páginas levam a algum lugar, use --near-duplicates follow.',
      ],
      robots: [
        'O robots.txt do host não permite.',
        'Pergunte a quem administra o host. Outro --user-agent é julgado pelas regras próprias dele.',
      ],
      'robots-unavailable': [
        'O robots.txt do host está em outro host, que não respondeu; até lá, nada é permitido.',
        `${DE_NOVO} robots-unavailable.`,
      ],
      type: ['Não é HTML; o corpo não foi baixado.', 'Só HTML é coletado; não há nada a mudar.'],
      noindex: [
        'A página pede para não ser indexada. Os links dela foram seguidos.',
        'É escolha da página; não há nada a mudar.',
      ],
      noarchive: [
        'A página pede para não ser arquivada. Os links dela foram seguidos.',
        'É escolha da página; não há nada a mudar.',
      ],
      malformed: ['A URL não é válida.', 'Corrija o link na página em que está.'],
      sitemap: ['É um sitemap, e esta coleta não lê sitemaps.', 'Leia-os com --sitemaps.'],
      'sitemap-none': ['Não é um sitemap.', 'Corrija a linha do robots.txt, ou a semente, que o indica.'],
      cleared: ['A fila do host foi esvaziada manualmente.', `${DE_NOVO} cleared.`],
      dns: ['O nome do host não pôde ser resolvido.', `Confira o nome e o DNS. ${DE_NOVO} dns.`],
      connect: ['Não foi possível conectar.', `Confira se o host está no ar. ${DE_NOVO} connect.`],
      tls: [
        'Não foi possível fazer uma conexão cifrada: o que o host fala não é TLS, ou não é um que se aceita aqui.',
        `${DE_NOVO} tls quando estiver corrigido.`,
      ],
      'tls-expired': [
        'O certificado do host venceu.',
        `Confira o relógio desta máquina. ${DE_NOVO} tls-expired quando o certificado for renovado.`,
      ],
      'tls-not-yet-valid': [
        'O certificado do host ainda não é válido.',
        `Confira o relógio desta máquina. ${DE_NOVO} tls-not-yet-valid.`,
      ],
      'tls-self-signed': [
        'O certificado do host é assinado por ele mesmo; nenhuma autoridade o garante.',
        `Se você confia nele, indique com --ca um arquivo que o contenha. ${DE_NOVO} tls-self-signed.`,
      ],
      'tls-wrong-name': [
        'O certificado do host é para outros nomes.',
        `Confira o nome no link. ${DE_NOVO} tls-wrong-name quando o certificado for trocado.`,
      ],
      'tls-unknown-issuer': [
        'O certificado do host vem de uma autoridade em que não se confia aqui, ou o host não envia os certificados intermediários.',
        `Se você confia na autoridade, indique com --ca um arquivo com o certificado dela. ${DE_NOVO} tls-unknown-issuer.`,
      ],
      timeout: ['A resposta não chegou a tempo.', `Aumente --timeout. ${DE_NOVO} timeout.`],
      reset: ['O host fechou a conexão no meio da resposta.', `${DE_NOVO} reset.`],
      length: ['A resposta era mais curta do que o anunciado.', `${DE_NOVO} length.`],
      protocol: ['A resposta não era HTTP válido.', `Veja a URL com outro cliente. ${DE_NOVO} protocol.`],
      headers: [
        'Os cabeçalhos da resposta eram longos ou numerosos demais.',
        `Veja a URL com outro cliente. ${DE_NOVO} headers.`,
      ],
      encoding: ['A resposta não pôde ser descomprimida.', `${DE_NOVO} encoding.`],
      files: [
        'Esta máquina ficou sem descritores de arquivo, portas ou memória.',
        `Aumente ulimit -n. ${DE_NOVO} files.`,
      ],
      network: ['Esta máquina estava sem rede.', `${DE_NOVO} network.`],
      stopped: ['A coleta foi parada com a requisição aberta.', `${DE_NOVO} stopped.`],
      proxy: ['O proxy não pôde ser alcançado.', `Confira o endereço do proxy. ${DE_NOVO} proxy.`],
      'proxy-login': ['O proxy pede um login.', `Dê o usuário e a senha com --proxy. ${DE_NOVO} proxy-login.`],
      'proxy-refused': [
        'O proxy recusou a conexão com o host.',
        `Pergunte a quem administra o proxy. ${DE_NOVO} proxy-refused.`,
      ],
      'worker-died': ['A leitura da página derrubou duas vezes a thread.', 'Por favor, relate a URL como defeito.'],
      challenge: [
        'O host respondeu com uma página de desafio, que quer saber se é uma pessoa que pergunta.',
        `Fale com quem administra o host e peça acesso, identifique-se com --contact ou --user-agent, e aumente --delay. ${DE_NOVO} challenge.`,
      ],
      'not-modified': [
        'O host respondeu que a página não mudou, embora a página inteira tenha sido pedida.',
        `O host está com defeito; não há nada a mudar aqui. ${DE_NOVO} not-modified.`,
      ],
    },
    unfollowed: UNFOLLOWED.pt,
    status: meaning => `O host respondeu ${meaning}.`,
    statusClass: {
      1: '(resposta provisória)',
      2: '(sucesso)',
      3: '(redirecionamento sem destino)',
      4: '(erro do cliente)',
      5: '(erro do servidor)',
    },
    statusAdvice: {
      login: reason => `Se você tem um login, dê-o com --auth, --cookie ou --header. ${DE_NOVO} ${reason}.`,
      busy: reason => `Aumente --delay. ${DE_NOVO} ${reason}.`,
      broken: reason => `O host pode ter se recuperado. ${DE_NOVO} ${reason}.`,
      other: reason => `Se isso pode ter mudado, tente de novo com --retry ${reason}.`,
    },
    robots: sentence => `Ao pedir o robots.txt: ${sentence}`,
    robotsAdvice:
      'Abra-o em um navegador: as páginas deste host esperam até que ele possa ser lido. A próxima execução tenta de novo.',
    sitemap: sentence => `Ao buscar um sitemap: ${sentence}`,
    sitemapAdvice:
      'Abra-o em um navegador. A próxima execução o lê de novo; as páginas que ele indica também podem ser achadas por links.',
    unknown: reason => [`O motivo é ${reason}, que esta versão não conhece.`, `${DE_NOVO} ${reason}.`],
  },
})
