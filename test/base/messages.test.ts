// The table of messages: every sentence exists in both languages, is made whole, and is used.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EscalonaError } from '../../src/base/errors.ts'
import { type Message, type MessageKey, message, messages, said, sentence } from '../../src/base/messages/message.ts'
import { whyOf } from '../../src/base/system-error.ts'
import { inLanguage } from '../../src/base/words/language.ts'

const SRC = fileURLToPath(new URL('../../../src', import.meta.url))

/** What a place of a sentence takes: `{files?one file|# files}` takes a number called files. */
function places(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!))].sort()
}

function filled(key: string, text: string): Message {
  const values = [...text.matchAll(/\{(\w+)(?::(\w+))?(\?)?/g)].map(([, name, form, isNumber]) => {
    const value = ['list', 'clauses', 'lines'].includes(form!)
      ? ['x']
      : form === 'text' || !(form || isNumber)
        ? 'x'
        : 2
    return [name!, value] as const
  })
  return { key: key as MessageKey, values: Object.fromEntries(values) }
}

test('messages: both languages fill the same places, and nothing is left open', () => {
  for (const [key, [en, pt]] of Object.entries(messages())) {
    assert.deepEqual(places(en), places(pt), key)
    for (const language of ['en', 'pt'] as const) {
      const text = sentence(filled(key, en + pt), language)
      assert.doesNotMatch(text.replace(en, '').replace(pt, ''), /undefined|NaN|[{}]/, `${key} in ${language}`)
    }
  }
})

test('messages: Portuguese uses the same words everywhere', () => {
  for (const [key, [, pt]] of Object.entries(messages())) assert.doesNotMatch(pt, /sossego|em paz|ajustes/i, key)
})

test('messages: every one is used', () => {
  const texts = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.startsWith(join('base', 'messages')))
    .map(name => readFileSync(join(SRC, name), 'utf8'))
    .join('\n')
  // A key that is put together is used when its beginning is: `redis/${fault}`.
  const beginnings = [...texts.matchAll(/`([\w-]+\/)\$\{/g)].map(([, beginning]) => beginning!)
  const locks = /^(?:FOLDER|FRONTIER|CRAWL|SEARCH)_(?:LOCKED|LOST)$/
  const isUsed = (key: string) =>
    texts.includes(`'${key}'`) || locks.test(key) || beginnings.some(beginning => key.startsWith(beginning))
  assert.deepEqual(
    Object.keys(messages()).filter(key => !isUsed(key)),
    [],
  )
})

test('messages: values from outside are shown safely, numbers as people of the language write them', () => {
  assert.equal(said('FILE_UNREADABLE', { name: 'a\u001bb', why: 'x' }), 'cannot read a\\u{1b}b: x')
  const nested = message('FILE_UNREADABLE', { name: 'a', why: message('system/ENOENT') })
  assert.equal(sentence(nested, 'pt'), 'não foi possível ler a: esse arquivo ou pasta não existe; confira o caminho')
})

test('messages: an error is said in the current language, and in the other one on request', () => {
  const why = whyOf(Object.assign(new Error('no'), { code: 'EISDIR' }))
  const error = inLanguage('pt', () => new EscalonaError('FILE_UNWRITABLE', { name: 'a', why }))
  assert.equal(error.message, 'não foi possível escrever a: é uma pasta; indique um arquivo')
  assert.equal(error.messageIn('en'), 'cannot write a: it is a folder; name a file')
  assert.equal(error.code, 'FILE_UNWRITABLE')
  assert.deepEqual(JSON.parse(JSON.stringify(error.said)), error.said)
})
