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

/** A log from elsewhere may have other phases. */
export function phaseTitle(phase: number): string {
  return PHASES[phase] ?? pictureWords().phase(phase)
}

/** The host structures have id 0; their elements, the hosts' names, and the elements of the lists begin here. */
export const ELEMENTS = 100
/** The hosts after this one share its id. */
export const LAST_LIST = 99

export function idTitle(id: number): string {
  const told = pictureWords().ids
  if (id === 0) return told.hosts
  if (id === ELEMENTS) return told.hostNames
  if (id > ELEMENTS + LAST_LIST) return told.structure(id)
  const host = id < ELEMENTS ? id : id - ELEMENTS
  const hosts = host === LAST_LIST ? told.lastHosts(host) : told.host(host)
  return id < ELEMENTS ? told.list(hosts) : told.texts(hosts)
}
