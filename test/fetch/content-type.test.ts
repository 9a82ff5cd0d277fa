import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentKind, looksLikeHtml } from '../../src/fetch/answer-head.ts'

test('rule 5.1: the content type decides, parameters do not', () => {
  for (const type of [
    'text/html',
    'TEXT/HTML',
    ' text/html ; charset=utf-8',
    'application/xhtml+xml',
    'text/html;',
    'text/html,text/plain',
  ]) {
    assert.equal(contentKind(type), 'html', type)
  }
  for (const type of [
    'text/plain',
    'image/png',
    'application/json; x=text/html',
    'text/htmlx',
    'xtext/html',
    'text/xml',
  ]) {
    assert.equal(contentKind(type), 'other', type)
  }
  for (const type of [
    undefined,
    '',
    ';',
    'html',
    '*/*',
    'unknown/unknown',
    'Application/Unknown',
    'text /html',
    'a/b/c',
  ]) {
    assert.equal(contentKind(type), 'unknown', type)
  }
})

const looks = (text: string) => looksLikeHtml(Buffer.from(text, 'latin1'))

test('MIME Sniffing 7.1: what begins with one of the tags is HTML', () => {
  const tags = '<!DOCTYPE HTML|<HTML|<HEAD|<SCRIPT|<IFRAME|<H1|<DIV|<FONT|<TABLE|<A|<STYLE|<TITLE|<B|<BODY|<BR|<P|<!--'
  for (const tag of tags.split('|')) {
    assert.ok(looks(`${tag}>`), tag)
    assert.ok(looks(`${tag.toLowerCase()} x`), tag)
    assert.ok(looks(`\t\n\f\r ${tag}>`), tag)
    assert.ok(!looks(`${tag}q`), tag)
    assert.ok(!looks(`x${tag}>`), tag)
    assert.ok(!looks(tag), tag)
  }
})

test('MIME Sniffing 7.1: other things are not HTML', () => {
  for (const text of [
    '',
    '   ',
    'hello',
    '%PDF-1.7',
    '\x89PNG\r\n',
    '{"a":"<html>"}',
    '<?xml version="1.0"?><html>',
    '\xef\xbb\xbf<html>',
    '\x00<html>',
  ]) {
    assert.ok(!looks(text), text)
  }
})

test('MIME Sniffing 5.2: only the first 1445 bytes count', () => {
  assert.ok(looks(`${' '.repeat(1445 - 6)}<html>`))
  assert.ok(!looks(`${' '.repeat(1445 - 5)}<html>`))
})
