// The sentences about links that never became known, in both languages.
import type { Bilingual } from '../base/words/language.ts'
import type { LinkRefusal as UnreadableLink } from '../extract/links.ts'
import type { Explained } from './reason-words.ts'

/** Why a link never became known. */
export type UnfollowedReason =
  | UnreadableLink
  | 'page-hosts'
  | 'max-hosts'
  | 'domain-hosts'
  | 'held-limit'
  | 'redirect-to-known'
  | 'too-many-redirects'
  | 'sitemap-host'
  | 'sitemap-depth'
  | 'sitemap-files'

export const UNFOLLOWED: Bilingual<Readonly<Record<UnfollowedReason, Explained>>> = {
  en: {
    protocol: ['The link is neither http nor https.', 'Only web pages are collected; there is nothing to change.'],
    malformed: ['The link is not a valid URL.', 'It leads nowhere; there is nothing to change.'],
    'too-long': ['The URL is longer than 2,000 bytes.', 'Such URLs are usually traps; there is nothing to change.'],
    'too-many-segments': [
      'The path has more than 30 segments.',
      'Such URLs are usually traps; there is nothing to change.',
    ],
    'repeated-segment': [
      'A segment occurs more than three times in the path.',
      'Such URLs are usually traps; there is nothing to change.',
    ],
    nofollow: ['The link or its page says nofollow.', 'That is up to the page; there is nothing to change.'],
    'too-many-links': ['The page has more links than are read from one page.', 'Add its URLs as seeds with --add.'],
    'page-hosts': [
      'The page links to more hosts than are followed from one page.',
      'Add the hosts you need as seeds with --add.',
    ],
    'max-hosts': ['The crawl knows as many hosts as --max-hosts allows.', 'Raise --max-hosts.'],
    'domain-hosts': [
      'The crawl knows as many hosts of this domain as --max-hosts-per-domain allows.',
      'Raise --max-hosts-per-domain.',
    ],
    'held-limit': [
      'A setting kept the link out, and --max-held links are already remembered.',
      'Raise --max-held before widening the settings.',
    ],
    'redirect-to-known': [
      'A redirect led to a link that was already known.',
      'Each URL is visited only once; there is nothing to change.',
    ],
    'too-many-redirects': [
      'There were more than ten redirects in a row.',
      'Open the URL in a browser, and add where it leads as a seed with --add.',
    ],
    'sitemap-host': [
      'A sitemap names a URL of another host, and the robots.txt of that host does not name the sitemap.',
      'Add the URLs you need as seeds with --add.',
    ],
    'sitemap-depth': [
      'The sitemap is named by an index of sitemaps that four indexes lead to.',
      'Add it as a seed, sitemap:URL, with --add.',
    ],
    'sitemap-files': [
      'As many sitemaps of this host were read as one host may have.',
      'Add it as a seed, sitemap:URL, with --add.',
    ],
  },
  pt: {
    protocol: ['O link não é http nem https.', 'Só páginas web são coletadas; não há nada a mudar.'],
    malformed: ['O link não é uma URL válida.', 'Não leva a lugar nenhum; não há nada a mudar.'],
    'too-long': ['A URL tem mais de 2.000 bytes.', 'URLs assim costumam ser armadilhas; não há nada a mudar.'],
    'too-many-segments': [
      'O caminho tem mais de 30 segmentos.',
      'URLs assim costumam ser armadilhas; não há nada a mudar.',
    ],
    'repeated-segment': [
      'Um segmento ocorre mais de três vezes no caminho.',
      'URLs assim costumam ser armadilhas; não há nada a mudar.',
    ],
    nofollow: ['O link ou a página diz nofollow.', 'É escolha da página; não há nada a mudar.'],
    'too-many-links': [
      'A página tem mais links do que são lidos de uma página.',
      'Acrescente as URLs como sementes com --add.',
    ],
    'page-hosts': [
      'A página aponta para mais hosts do que são seguidos de uma página.',
      'Acrescente os hosts necessários como sementes com --add.',
    ],
    'max-hosts': ['A coleta já conhece tantos hosts quanto --max-hosts permite.', 'Aumente --max-hosts.'],
    'domain-hosts': [
      'A coleta já conhece tantos hosts deste domínio quanto --max-hosts-per-domain permite.',
      'Aumente --max-hosts-per-domain.',
    ],
    'held-limit': [
      'Uma configuração reteve o link, e --max-held links já são lembrados.',
      'Aumente --max-held antes de ampliar as configurações.',
    ],
    'redirect-to-known': [
      'Um redirecionamento levou a um link já conhecido.',
      'Cada URL é visitada uma só vez; não há nada a mudar.',
    ],
    'too-many-redirects': [
      'Mais de dez redirecionamentos em sequência.',
      'Abra a URL em um navegador e acrescente o destino como semente com --add.',
    ],
    'sitemap-host': [
      'Um sitemap indica uma URL de outro host, e o robots.txt desse host não indica o sitemap.',
      'Acrescente como sementes, com --add, as URLs de que precisa.',
    ],
    'sitemap-depth': [
      'O sitemap é indicado por um índice de sitemaps ao qual se chega por quatro índices.',
      'Acrescente-o como semente, sitemap:URL, com --add.',
    ],
    'sitemap-files': [
      'Já foram lidos tantos sitemaps deste host quantos um host pode ter.',
      'Acrescente-o como semente, sitemap:URL, com --add.',
    ],
  },
}
