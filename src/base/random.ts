import { createRequire } from 'node:module'

/** That takes as long as reading 10,000 URLs. */
function randomBytes(bytes: number): Buffer {
  const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')
  return crypto.randomBytes(bytes)
}

/** For the hash tables of one run, as two 32-bit numbers: the input's author can't know it, and it is never shown. */
export function seedOfOneRun(): [number, number] {
  return [(Math.random() * 2 ** 32) | 0, (Math.random() * 2 ** 32) | 0]
}

/** As two 32-bit numbers: keeps hash tables safe from inputs made to collide. */
export function unpredictableSeed(): [number, number] {
  const bytes = randomBytes(8)
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)]
}

export function uniqueName(): string {
  return Math.floor(Math.random() * 2 ** 52).toString(36)
}

/** The n-th number of a seed's sequence, from 0 to below 1: repeatable chance without memory. */
export function chanceAt(seed: number, n: number): number {
  let mixed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + Math.imul(n + 1, 0x9e3779b1)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** 128 bits as text for URLs: a token, a cookie. */
export function unguessable(): string {
  return randomBytes(16).toString('base64url')
}
