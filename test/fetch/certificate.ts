import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate for this name or address, signed by itself. */
export function certificate(t: TestContext, name: string): Certificate {
  const folder = folderOf(t)
  openssl(folder, 'req', '-x509', ...KEY, '-days', '2', '-subj', '/CN=test', ...namedIn(name), ...KEPT)
  return certificateIn(folder)
}

/** An authority of the test's own. */
export interface Authority {
  /** PEM. */
  readonly cert: string
  /** A certificate for this name, valid between these dates (`YYYYMMDDHHMMSSZ`). */
  issue(name: string, from?: string, until?: string): Certificate
}

export function authority(t: TestContext): Authority {
  const folder = folderOf(t)
  const isCa = ['-addext', 'basicConstraints=critical,CA:TRUE']
  openssl(folder, 'req', '-x509', ...KEY, '-days', '2', '-subj', '/CN=authority', ...isCa, ...KEPT)
  writeFileSync(join(folder, 'index'), '')
  const conf = `[ca]\ndefault_ca=a\n[a]\ndatabase=index\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\nunique_subject=no\n[p]\ncommonName=supplied\n`
  writeFileSync(join(folder, 'conf'), conf)
  return {
    cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
    issue: (name, from = '20200101000000Z', until = '20490101000000Z') => {
      const own = folderOf(t)
      const request = join(own, 'request.pem')
      openssl(own, 'req', ...KEY, '-subj', '/CN=test', ...namedIn(name), '-keyout', 'key.pem', '-out', request)
      const dates = ['-startdate', from, '-enddate', until]
      const issuer = ['-cert', 'cert.pem', '-keyfile', 'key.pem']
      openssl(
        folder,
        'ca',
        '-batch',
        '-config',
        'conf',
        ...issuer,
        ...dates,
        '-in',
        request,
        '-out',
        join(own, 'cert.pem'),
        '-notext',
      )
      return certificateIn(own)
    },
  }
}

const KEPT = ['-keyout', 'key.pem', '-out', 'cert.pem']

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function openssl(folder: string, ...args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
}

function namedIn(name: string): string[] {
  return ['-addext', `subjectAltName=${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`]
}

function certificateIn(folder: string): Certificate {
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  return { key: readFileSync(key), cert: readFileSync(path), path }
}
