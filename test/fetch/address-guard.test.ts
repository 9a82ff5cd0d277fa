import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressGuard, addressBytes, isInside, parseNetwork } from '../../src/fetch/address-guard.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
]

const SPECIAL = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '::ffff:169.254.169.254',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:1::1',
  '2001:db8::1',
  '2002:0808:0808::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

test('rule 5.9: public addresses are allowed', () => {
  const guard = new AddressGuard()
  assert.deepEqual(
    PUBLIC.filter(ip => !guard.isAllowed(ip)),
    [],
  )
})

test('rule 5.9: addresses of the special registries are refused, also inside of IPv6', () => {
  const guard = new AddressGuard()
  assert.deepEqual(
    SPECIAL.filter(ip => guard.isAllowed(ip)),
    [],
  )
})

test('ours: what is not an address is refused', () => {
  const guard = new AddressGuard(['0.0.0.0/0', '::/0'])
  for (const text of [
    '',
    'localhost',
    '1.2.3',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '1.2.3.4 ',
    ':::',
    '1.2.3.4/8',
    '01.2.3.4',
  ]) {
    assert.equal(guard.isAllowed(text), false, text)
  }
})

test('rule 5.9: --allow-network opens what it names and nothing else', () => {
  const guard = new AddressGuard(['127.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1/128'])
  for (const ip of ['127.0.0.1', '127.9.9.9', '10.1.2.3', 'fd00::5', '::1', '::ffff:127.0.0.1', '64:ff9b::10.1.2.3']) {
    assert.equal(guard.isAllowed(ip), true, ip)
  }
  for (const ip of ['10.1.2.4', '192.168.0.1', 'fc00::1', '::2', '::ffff:10.1.2.4']) {
    assert.equal(guard.isAllowed(ip), false, ip)
  }
})

test('ours: a network that covers all mapped addresses opens them', () => {
  assert.equal(new AddressGuard(['::ffff:0:0/96']).isAllowed('::ffff:10.0.0.1'), true)
  assert.equal(new AddressGuard(['::ffff:0:0/96']).isAllowed('10.0.0.1'), false)
})

test('ours: a network that is none is told', () => {
  const bad = [
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10/8',
    'fd00::/129',
    'x',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    '\x1b[31m/8',
  ]
  for (const text of bad) {
    assert.throws(
      () => new AddressGuard([text]),
      (error: { code?: string; message: string }) =>
        error.code === 'FETCH_BAD_NETWORK' && !error.message.includes('\x1b'),
      text,
    )
  }
})

test('ours: bits inside of a byte count', () => {
  const inside = (ip: string, network: string) => isInside(addressBytes(ip)!, parseNetwork(network))
  assert.ok(inside('1.2.3.255', '1.2.3.128/25'))
  assert.ok(!inside('1.2.3.127', '1.2.3.128/25'))
  assert.ok(inside('255.255.255.255', '0.0.0.0/0'))
  assert.ok(!inside('::1', '0.0.0.0/0'))
  assert.ok(inside('1.2.3.4', '1.2.3.4/32'))
  assert.ok(!inside('1.2.3.5', '1.2.3.4/32'))
  assert.ok(inside('fe80::1', 'febf::/10'))
})

test('ours: every way to write an IPv6 address gives the same bytes', () => {
  const forms = ['1:2:0:0:0:0:7:8', '1:2::7:8', '0001:0002::0007:0008', '1:2::0:7:8', '1:2::0.7.0.8', '1:2::7:8%lo']
  for (const form of forms) assert.deepEqual(addressBytes(form), addressBytes(forms[0]!), form)
  assert.deepEqual(addressBytes('::'), new Uint8Array(16))
})
