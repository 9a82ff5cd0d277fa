import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontierAddress } from '../../../src/run/machines/frontier-address.ts'

const HERE = 'redis://127.0.0.1:7001/brasil'

test('shared crawl: a folder finds its frontier again; the password comes with each start', () => {
  assert.equal(frontierAddress({}, 'dir', undefined), undefined)
  assert.equal(frontierAddress({}, 'dir', { where: undefined }), undefined)
  assert.equal(frontierAddress({}, 'dir', { where: HERE })?.name, 'brasil')
  assert.equal(frontierAddress({ frontierPassword: 'pw' }, 'dir', { where: HERE })?.password, 'pw')
  assert.equal(
    frontierAddress({ frontier: 'redis://:own@127.0.0.1/x', frontierPassword: 'pw' }, 'd', undefined)?.password,
    'own',
  )
})

test('shared crawl: the servers of a crawl may move; a folder never changes from one crawl to another', () => {
  const moved = frontierAddress({ frontier: 'redis://10.0.0.9:7002/brasil' }, 'dir', { where: HERE })
  assert.equal(moved?.addresses[0]?.host, '10.0.0.9')
  assert.throws(
    () => frontierAddress({ frontier: 'redis://u:secret@127.0.0.1:7001/chile' }, 'dir', { where: HERE }),
    error => {
      const { code, message } = error as Error & { code: string }
      assert.equal(code, 'CRAWL_OTHER_FRONTIER')
      assert.match(message, /brasil.*chile/)
      assert.doesNotMatch(message, /secret/)
      return true
    },
  )
  assert.throws(() => frontierAddress({ frontier: HERE }, 'dir', { where: undefined }), {
    code: 'CRAWL_OTHER_FRONTIER',
    message: /own frontier.*import dir/,
  })
})
