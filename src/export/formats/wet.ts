import { membersOf, pack } from '../../archive/gzip-member.ts'
import { uuidsOf } from '../../archive/record-text.ts'
import { sha1 } from '../../base/words/sha1.ts'
import type { ReadVisit } from '../read-visit.ts'
import type { TableRow } from '../tables.ts'
import type { EncodedRows, RowEncoder } from './formats.ts'

const PART_BYTES = 1 << 20
const LEVEL = { level: 3 }
const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'

/** What a `conversion` record is made from. */
export function conversionRow({ visit, record, extracted }: ReadVisit): TableRow {
  const refersTo = record.fields.get('warc-record-id') ?? ''
  return {
    url: record.fields.get('warc-target-uri') ?? visit.url,
    date: visit.dateMs,
    refersTo,
    text: extracted.text ?? '',
  }
}

/** Encodes the text of pages as WARC records of the type `conversion`, each a gzip member. */
export class WetEncoder implements RowEncoder {
  private readonly members: Uint8Array<ArrayBuffer>[] = []
  private bytes = 0

  get isFull(): boolean {
    return this.bytes >= PART_BYTES
  }

  add({ url, date, refersTo, text }: TableRow): void {
    const block = Buffer.from(text as string)
    const isoDate = new Date(date as number).toISOString()
    const digest = sha1(block)
    const [id] = uuidsOf(`conversion ${refersTo} ${digest}`)
    const fields =
      `WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:${id}>\r\nWARC-Date: ${isoDate}\r\n` +
      `WARC-Target-URI: ${url}\r\nWARC-Refers-To: ${refersTo}\r\nWARC-Block-Digest: sha1:${digest}\r\n` +
      `Content-Type: text/plain; charset=UTF-8\r\nContent-Length: ${block.length}\r\n\r\n`
    const plain = Buffer.concat([Buffer.from(fields, 'latin1'), block, Buffer.from('\r\n\r\n')])
    const member = membersOf(pack(plain, LEVEL))
    this.members.push(member)
    this.bytes += member.length
  }

  take(): EncodedRows | undefined {
    const rows = this.members.length
    if (rows === 0) return undefined
    const bytes = new Uint8Array(this.bytes)
    let at = 0
    for (const member of this.members) {
      bytes.set(member, at)
      at += member.length
    }
    this.members.length = this.bytes = 0
    return { bytes, rows }
  }
}

/** The record that a WET file begins with. */
export function wetInfo(software: string, nowMs: number): Uint8Array {
  const date = new Date(nowMs).toISOString()
  const block =
    `software: ${software}\r\nformat: WARC File Format 1.1\r\nconformsTo: ${CONFORMS_TO}\r\n` +
    'description: visible text of archived pages\r\n'
  const fields =
    `WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:${uuidsOf(`wet ${software} ${date}`)[0]}>\r\n` +
    `WARC-Date: ${date}\r\nContent-Type: application/warc-fields\r\nContent-Length: ${block.length}\r\n\r\n`
  return membersOf(pack(Buffer.from(`${fields}${block}\r\n\r\n`, 'latin1'), LEVEL))
}
