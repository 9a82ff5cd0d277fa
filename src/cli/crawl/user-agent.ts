/** The default contact: it leads to the makers of Escalona, not to whoever runs the crawl. */
const OUR_CONTACT = /\(\+https:\/\/github\.com\/escalona\/escalona\)$/

/** Whether the User-Agent says whom the people who run a host can write to. */
export function namesContact(userAgent: string): boolean {
  return /@|https?:\/\/|\bwww\./i.test(userAgent) && !OUR_CONTACT.test(userAgent)
}
