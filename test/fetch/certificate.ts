import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export const NO_OPENSSL =
  spawnSync('openssl', ['version']).status === 0 ? false : 'openssl makes the certificates, and is missing'

export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
  /** Of the certificate. */
  readonly path: string
}

/** A certificate for this name or address, signed by itself. */
export function certificate(t: TestContext, name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS'
  execFileSync(
    'openssl',
    [...make, '-subj', '/CN=test', '-addext', `subjectAltName=${kind}:${name}`, '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  )
  return { key: readFileSync(key), cert: readFileSync(cert), path: cert }
}
