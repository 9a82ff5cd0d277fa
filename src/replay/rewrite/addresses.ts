import { trimBlanks } from '../../base/words/trim-blanks.ts'
import { withQueryIn } from '../../extract/encodings.ts'
import { type BaseUrl, webUrl } from '../../url/web.ts'
import { type AddressUse, type AtPath, atPath } from './at-path.ts'

/** Longer fragments aren't names of anchors. */
const MOST_FRAGMENT = 2000

export class Addresses {
  private readonly base: BaseUrl
  private readonly charset: string
  private readonly visit: Pick<AtPath, 'key' | 'stamp'>

  constructor(base: BaseUrl, charset: string, visit: Pick<AtPath, 'key' | 'stamp'>) {
    this.base = base
    this.charset = charset
    this.visit = visit
  }

  /** Leads only into the archive; undefined for an address that can't. */
  archived(text: string, use: AddressUse): string | undefined {
    const address = trimBlanks(text)
    if (address.startsWith('#')) return address.length <= MOST_FRAGMENT ? address : undefined
    if ((use === 'image' || use === 'font') && isData(address)) return address
    const url = webUrl(withQueryIn(this.charset, address), this.base)
    if (typeof url === 'string') return undefined
    const path = atPath({ ...this.visit, use, url: url.href })
    return use === 'page' ? path + fragmentOf(address) : path
  }
}

function isData(address: string): boolean {
  return /^data:/i.test(address.slice(0, 5))
}

function fragmentOf(address: string): string {
  const at = address.indexOf('#')
  return at === -1 || address.length - at > MOST_FRAGMENT ? '' : address.slice(at)
}
