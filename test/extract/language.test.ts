import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageDetector } from '../../src/extract/detect-language.ts'
import { languageOfPage } from '../../src/extract/directives.ts'
import { extract } from '../../src/extract/extract.ts'
import { isOther } from '../../src/settings/languages.ts'

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

const DETECTED = await languageDetector({ language: ['pt'], onlyLanguage: [] })

function extracted(html: string, contentLanguage?: string): string | undefined {
  const page = {
    url: 'http://a.org/',
    contentType: 'text/html; charset=utf-8',
    contentLanguage,
    robotsTags: [],
    agent: '',
  }
  return extract({ ...page, body: Buffer.from(html), wanted: { detectLanguage: DETECTED } }).language
}

test('ours: a language that no page declares is detected in its visible text, if that says enough', () => {
  const text =
    'A biblioteca central empresta até cinco livros por aluno durante quinze dias, e os alunos podem renovar pela rede.'
  assert.equal(extracted(`<title>The library</title><script>var the = "which was for the"</script><p>${text}`), 'pt')
  assert.equal(extracted(`<html lang=en><p>${text}`), 'en')
  assert.equal(extracted(`<p>${text}`, 'es-AR'), 'es-ar')
  for (const short of ['', '<p>404', '<p>1 2 3 4 5 6 7 8 9', '<p>Lorem ipsum dolor sit amet consectetur adipiscing'])
    assert.equal(extracted(short), undefined, short)
})

test('ours: the detector is loaded only when a setting needs it, and hostile text costs it little', async () => {
  assert.equal(await languageDetector({ language: [], onlyLanguage: [] }), undefined)
  assert.ok(await languageDetector({ language: [], onlyLanguage: ['pt'] }))
  for (const text of ['a', 'ã', '\u{0}', '<', 'the ', 'x1 ', '\u{1f600}', '\u{d800}'])
    assert.doesNotThrow(() => DETECTED!(text.repeat(1000 / text.length)))
})

test('ours: a page is in another language only if its language is known, and some are named', () => {
  assert.deepEqual(
    [
      isOther('pt-br', ['en', 'pt']),
      isOther('pt', ['en']),
      isOther('ptx', ['pt']),
      isOther(undefined, ['pt']),
      isOther('pt', []),
    ],
    [false, true, true, false, false],
  )
})

test('ours: codes that name no language say nothing', () => {
  for (const lang of ['und', 'mul', 'zxx', 'mis', 'und-Latn', 'x-default']) {
    assert.equal(language(`<html lang="${lang}">`), undefined, lang)
    assert.equal(language(`<html lang="${lang}">`, 'pt'), 'pt', lang)
  }
  assert.equal(language('<html lang="mi">', 'und'), 'mi')
})
