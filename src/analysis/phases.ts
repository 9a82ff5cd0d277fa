import { pictureWords } from './picture-words.ts'

/** What the program was doing when it touched its memory: the commands, in the order of the course's numbers. */
export const PHASES = [
  'ADD_URLS',
  'ESCALONA_TUDO',
  'ESCALONA',
  'ESCALONA_HOST',
  'VER_HOST',
  'LISTA_HOSTS',
  'LIMPA_HOST',
  'LIMPA_TUDO',
] as const

export type PhaseName = (typeof PHASES)[number]

export function phaseOf(command: PhaseName): number {
  return PHASES.indexOf(command)
}

/** The name of a phase. A log from elsewhere may have other phases. */
export function phaseTitle(phase: number): string {
  return PHASES[phase] ?? pictureWords().phase(phase)
}

/** The host structures have id 0. The ids of elements begin here: the hosts' names, then the elements of the lists. */
export const ELEMENTS = 100
/** The hosts after this one share its id. */
export const LAST_LIST = 99

export function idTitle(id: number): string {
  const texts = pictureWords().ids
  if (id === 0) return texts.hosts
  if (id === ELEMENTS) return texts.hostNames
  if (id > ELEMENTS + LAST_LIST) return texts.structure(id)
  const host = id < ELEMENTS ? id : id - ELEMENTS
  const hosts = host === LAST_LIST ? texts.lastHosts(host) : texts.host(host)
  return id < ELEMENTS ? texts.list(hosts) : texts.texts(hosts)
}
