import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls'

/** The root certificates are loaded once per thread, when first needed: that takes milliseconds. */
let secureContext: SecureContext | undefined

/** The options of every TLS connection. `name`: the name in the certificate; empty: the address connected to. */
export function securely(name: string): ConnectionOptions {
  secureContext ??= createSecureContext()
  return { servername: name.replace(/\.$/, ''), secureContext, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }
}
