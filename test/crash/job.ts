// What a worker is asked to do: known to the worker and to its parent, and quick to load.
import { createHash } from 'node:crypto'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { type Operation, randomOperation } from '../contract/operations.ts'
import { tortureWorld, type World } from '../contract/worlds.ts'
import { RandomSource } from '../model/random-source.ts'

export interface Job {
  readonly folder: string
  readonly seed: number
  readonly options: FrontierOptions
  readonly nowMs: number
  /** How many operations at most. */
  readonly operations: number
  /** How much the journal grows before a snapshot. */
  readonly snapshotBytes: number
  /** Whether it closes the frontier and opens it again now and then. */
  readonly reopens: boolean
  /** How many URLs a host has; hundreds when nothing is said. */
  readonly pages?: number
}

export function worldOf(job: Job): World {
  const world = tortureWorld(job.reopens)
  return { ...world, pages: job.pages ?? world.pages, revisits: true }
}

export function* operationsOf(job: Job): Generator<Operation> {
  const random = new RandomSource(job.seed)
  for (let n = 0; n < job.operations; n++) yield randomOperation(random, worldOf(job))
}

/** What an operation gave, as it goes through a pipe: a digest when it is long. Notes are gone after a crash. */
export function inBrief(gave: unknown): unknown {
  const text = JSON.stringify(withoutNotes(gave), inOrder)
  if (text === undefined) return null
  return text.length < 10_000 ? JSON.parse(text) : createHash('sha1').update(text).digest('hex')
}

/** Two that are the same give the same text. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function withoutNotes(gave: unknown): unknown {
  if (typeof gave !== 'object' || gave === null || !('notes' in gave)) return gave
  const { notes: _, ...rest } = gave
  return rest
}

/** A stopped frontier says so to every call. In a group of calls, one such answer leaves the whole group open. */
export function isStop(gave: unknown): boolean {
  return /"FRONTIER_STOPPED"/.test(JSON.stringify(gave) ?? '')
}
