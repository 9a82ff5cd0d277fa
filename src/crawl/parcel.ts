import type { Records } from '../archive/records.ts'
import type { Finding } from './errand.ts'

/** Findings on their way between threads. The bytes of their records lie in one block, which moves instead of being copied. */
export interface Parcel {
  readonly findings: readonly Finding[]
  readonly block: Uint8Array<ArrayBuffer>
}

const NOTHING = new Uint8Array(0)

export function pack(findings: readonly Finding[]): Parcel {
  let total = 0
  for (const { answer } of findings) total += answer?.records?.bytes.length ?? 0
  const block = new Uint8Array(total)
  let at = 0
  const light = findings.map(finding => {
    const records = finding.answer?.records
    if (records === undefined) return finding
    block.set(records.bytes, at)
    at += records.bytes.length
    return withRecords(finding, { ...records, bytes: NOTHING, length: records.bytes.length } as Records)
  })
  return { findings: light, block }
}

export function unpack({ findings, block }: Parcel): Finding[] {
  let at = 0
  return findings.map(finding => {
    const records = finding.answer?.records as (Records & { readonly length: number }) | undefined
    if (records === undefined) return finding
    const bytes = block.subarray(at, (at += records.length))
    return withRecords(finding, { ...records, bytes })
  })
}

function withRecords(finding: Finding, records: Records): Finding {
  return { ...finding, answer: { ...finding.answer!, records } }
}
