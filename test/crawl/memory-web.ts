// The simulator's web, made of maps. Its log decides whether a crawler was polite.
import { packLinks } from '../../src/decide/job.ts'
import { type SimulatedHost, type SimulatedRequest, SimulatedWeb } from '../../src/simulate/simulated-web.ts'
import type { VirtualClock } from '../../src/simulate/virtual-clock.ts'

export type { SimulatedRequest as MemoryRequest, Trouble } from '../../src/simulate/simulated-web.ts'

export interface MemoryHost extends Omit<SimulatedHost, 'links'> {
  /** Paths, each with the URLs it links to. */
  readonly pages: ReadonlyMap<string, readonly string[]>
}

export class MemoryWeb extends SimulatedWeb {
  readonly log: SimulatedRequest[] = []
  readonly hosts: ReadonlyMap<string, MemoryHost>

  constructor(hosts: readonly MemoryHost[], time: VirtualClock) {
    const byName = new Map(
      hosts.map(host => [host.name, Object.assign(Object.create(host) as MemoryHost, { links: linksOf(host) })]),
    )
    super(name => byName.get(name), time)
    this.hosts = byName
  }

  protected override asked(request: SimulatedRequest): void {
    this.log.push(request)
  }
}

function linksOf({ pages }: MemoryHost): SimulatedHost['links'] {
  return path => {
    const links = pages.get(path)
    return links && packLinks(links.map(url => ({ url, pathDepth: url.split('/').length - 3 })))
  }
}
