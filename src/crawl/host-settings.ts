/** Settings for one host, or for all subdomains of one. What is not given is as for every other host. */
export interface HostSettings {
  /**
   * `example.org`, `example.org:8443` or `*.example.org` (all subdomains, not `example.org` itself), optionally with a scheme.
   * Without a port: the default port. With a scheme, `headers` are sent over that scheme only.
   */
  readonly host: string
  /** The least time between two requests to the host; it may be shorter or longer than the crawl's. */
  readonly delayMs?: number
  /** The most pages of the host, instead of `maxPerHost`. */
  readonly limit?: number
  /**
   * Sent with every request to the host, also for robots.txt, and to nobody else. `Authorization` and `Cookie` are sent over
   * https only, unless `host` begins with `http://`. Secret: never written or shown.
   */
  readonly headers?: Readonly<Record<string, string>>
}
