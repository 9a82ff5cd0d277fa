import { X509Certificate } from 'node:crypto'
import * as tls from 'node:tls'
import { EscalonaError } from '../base/errors.ts'
import type { Failure } from './exchange.ts'

/** The options of a TLS connection. `name`: the name in the certificate; empty: the address connected to. */
export type Securely = (name: string) => tls.ConnectionOptions

/** `ca`: certificates (PEM) that are trusted besides those that Node trusts. Roots are loaded when first needed: that takes milliseconds. */
export function securely(ca: readonly string[] = []): Securely {
  let secureContext: tls.SecureContext | undefined
  return name => {
    secureContext ??= contextWith(ca)
    return { servername: name.replace(/\.$/, ''), secureContext, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }
  }
}

/** Node's option `ca` would replace what it trusts, with NODE_EXTRA_CA_CERTS; what its own code calls for that option adds to it. */
function contextWith(ca: readonly string[]): tls.SecureContext {
  const made = tls.createSecureContext()
  for (const pem of ca) (made.context as { addCACert(pem: string): void }).addCACert(pem)
  return made
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** In a PEM text, or one of `certificateLine`; anything else, such as a private key, is left out. Throws `FETCH_BAD_CA`. */
export function certificatesIn(text: string): readonly string[] {
  const pem = /^[\w+/=]+$/.test(text) ? `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----` : text
  const found = pem.match(CERTIFICATE) ?? []
  if (found.length === 0) throw new EscalonaError('FETCH_BAD_CA/none')
  found.forEach((one, place) => {
    try {
      new X509Certificate(one)
    } catch (cause) {
      throw new EscalonaError('FETCH_BAD_CA/damaged', { place: place + 1 }, { cause })
    }
  })
  return found
}

export function certificateLine(pem: string): string {
  return pem.replace(/-----[^-]*-----|\s/g, '')
}

const FAULTS: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ['CERT_HAS_EXPIRED', 'tls-expired'],
  ['CERT_NOT_YET_VALID', 'tls-not-yet-valid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-self-signed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-name'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-unknown-issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-unknown-issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-unknown-issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-unknown-issuer'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
])

export function whyInsecure({ code = '' }: NodeJS.ErrnoException): Failure {
  return FAULTS.get(code) ?? 'tls'
}
