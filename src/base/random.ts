import { createRequire } from 'node:module'

/** Loaded when it is first needed: that takes as long as reading 10,000 URLs. */
function randomBytes(bytes: number): Buffer {
  const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')
  return crypto.randomBytes(bytes)
}

/**
 * A seed for the hash tables of one run, as two 32-bit numbers. Whoever wrote the run's input can't know it, and nothing of it
 * is ever shown; for everything else, see {@link unpredictableSeed}.
 */
export function seedOfOneRun(): [number, number] {
  return [(Math.random() * 2 ** 32) | 0, (Math.random() * 2 ** 32) | 0]
}

/** A seed that nobody can guess, as two 32-bit numbers: keeps hash tables safe from inputs made to collide. */
export function unpredictableSeed(): [number, number] {
  const bytes = randomBytes(8)
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)]
}

/** A short name that no other file has. */
export function uniqueName(): string {
  return Math.floor(Math.random() * 2 ** 52).toString(36)
}

/** The n-th number of a seed's sequence, from 0 to below 1: chance that can be repeated, and needs no memory. */
export function chanceAt(seed: number, n: number): number {
  let mixed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + Math.imul(n + 1, 0x9e3779b1)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** 128 bits that nobody can guess, as text for URLs: a token, a cookie. */
export function unguessable(): string {
  return randomBytes(16).toString('base64url')
}
