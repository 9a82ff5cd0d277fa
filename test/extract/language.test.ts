import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOfPage } from '../../src/extract/directives.ts'

const language = (html: string, header?: string) => languageOfPage(Buffer.from(html), header)

test('ours: a page’s language is that of <html lang>, or else of its header', () => {
  assert.equal(language('<!doctype html><html lang="pt-BR"><title>x'), 'pt-br')
  assert.equal(language("<HTML class=x LANG='en'>", 'de'), 'en')
  assert.equal(language('<html xmlns="x" xml:lang=zh-Hant-TW>'), 'zh-hant')
  assert.equal(language('<html>', 'pt-BR, en'), 'pt-br')
  assert.equal(language('<html lang="">', 'fr'), 'fr')
})

test('ours: what names no language is none', () => {
  for (const html of [
    '',
    '<html>',
    '<html data-lang="en">',
    '<html lang="portuguese">',
    '<p lang=en>',
    '<html lang="<b>">',
  ])
    assert.equal(language(html), undefined, html)
  assert.equal(language(`${' '.repeat(5000)}<html lang=en>`), undefined)
  assert.equal(language('<html '.repeat(100_000)), undefined)
})
