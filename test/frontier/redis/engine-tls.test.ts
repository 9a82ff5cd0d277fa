import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { certificate, NO_OPENSSL } from '../../fetch/certificate.ts'
import { freePorts, startRedis } from '../../redis/servers.ts'

const ASK = fileURLToPath(new URL('./ask-securely.js', import.meta.url))

async function ask(url: string, trusted: string | undefined): Promise<string> {
  const env = { ...process.env, ...(trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusted }) }
  const { stdout } = await promisify(execFile)(process.execPath, [ASK, url], { env })
  return stdout.trim()
}

test('Redis: rediss:// is TLS, with a certificate that must be trusted', { skip: NO_OPENSSL }, async t => {
  const { path } = certificate(t, 'localhost')
  const [port] = await freePorts(1)
  const files = ['--tls-cert-file', path, '--tls-key-file', join(dirname(path), 'key.pem'), '--tls-ca-cert-file', path]
  await startRedis(t, { flags: ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files], password: 'pw' })
  const [trusted, strange] = await Promise.all([
    ask(`rediss://:pw@localhost:${port}/x`, path),
    ask(`rediss://:pw@localhost:${port}/x`, undefined),
  ])
  assert.equal(trusted, 'secret')
  assert.match(strange, /cannot reach the frontier's engine at localhost:\d+: .*self-signed certificate/)
})
