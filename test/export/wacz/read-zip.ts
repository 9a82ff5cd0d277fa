// Reads a ZIP by its central directory, as players do.
import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly path: string
  readonly isStored: boolean
  readonly bytes: Buffer
}

/** The files of a small ZIP, in order, checked. */
export function readZip(zip: Buffer): ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  assert.ok(end > 0, 'there is no end of a central directory')
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    assert.equal(zip.readUInt32LE(at), 0x02014b50)
    const [method, crc, packed, size] = [10, 16, 20, 24].map((n, i) =>
      i === 0 ? zip.readUInt16LE(at + n) : zip.readUInt32LE(at + n),
    )
    const [name, extra, comment] = [28, 30, 32].map(n => zip.readUInt16LE(at + n)) as [number, number, number]
    const local = zip.readUInt32LE(at + 42)
    const path = zip.toString('utf8', at + 46, at + 46 + name)
    at += 46 + name + extra + comment
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const raw = zip.subarray(data, data + packed!)
    const bytes = method === 0 ? raw : inflateRawSync(raw)
    assert.deepEqual([bytes.length, crc32(bytes)], [size, crc], path)
    return { path, isStored: method === 0, bytes }
  })
}
