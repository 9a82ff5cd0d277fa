import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls'

/** The roots are loaded once per thread, and not before they are needed: that takes milliseconds. */
let secureContext: SecureContext | undefined

/** How every secure connection is made. `name`: what the certificate must be for; empty: the address that is connected to. */
export function securely(name: string): ConnectionOptions {
  secureContext ??= createSecureContext()
  return { servername: name.replace(/\.$/, ''), secureContext, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }
}
