/** Which requests go through a proxy. An address is a URL, `http://` or `https://`, optionally with `user:password@`. */
export interface ProxySettings {
  /** For `http://` URLs. */
  readonly http?: string
  /** For `https://` URLs. */
  readonly https?: string
  /** Hosts that are asked directly, as in NO_PROXY: `example.org` (with its subdomains), `host:port`, addresses, CIDR networks, `*`. */
  readonly no: readonly string[]
}
