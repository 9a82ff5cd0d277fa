import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, unixClock } from '../../../base/clock.ts'
import { EscalonaError } from '../../../base/errors.ts'
import { FolderLock } from '../../../base/files/folder-lock.ts'
import { makeFolder } from '../../../base/files/make-folder.ts'
import { syncFolder } from '../../../base/files/whole-file.ts'
import { type Message, message } from '../../../base/messages/message.ts'
import { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { isSystemError, whyOf } from '../../../base/system-error.ts'
import { hostOf } from '../../../url/host-of.ts'
import { domainHash } from '../../domain-hash.ts'
import { type Dump, type DumpHead, doneIn } from '../../dump.ts'
import { damagedDump, notEmpty } from '../../dump-errors.ts'
import { settingsOf } from '../../options.ts'
import { type RestoreOptions, type RestoreTarget, restoreDump } from '../../restore-dump.ts'
import { EVENT } from '../journal/events.ts'
import { Journal } from '../journal/journal.ts'
import { LedgerFile } from '../journal/ledger.ts'
import { IMPORTING, writeSeed } from '../journal/segment-files.ts'
import type { HostId } from '../memory/hosts.ts'
import { DONE, PAGE } from '../memory/links.ts'
import { LocalOffering } from '../moves/offering.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { BOUNDS, FrontierState } from '../state/state.ts'

/** Where to restore a dump to. */
export interface LocalRestoreOptions extends RestoreOptions {
  /** A new folder, or an empty one. */
  readonly folder: string
  /** Now, in milliseconds since 1970; default: the machine's clock. */
  readonly clock?: Clock
  /** Called when the folder says that it is unfinished, before anything else is written. */
  readonly onBegun?: () => Promise<void>
  /** Called with a sentence before waiting for a former owner of the folder. */
  readonly onWait?: (message: string) => void
}

/**
 * Makes a frontier in a folder from a dump. Until it is whole, the folder holds a file that says so, and can't be opened. Notes
 * are left out: a folder keeps none.
 */
export async function restoreLocal(options: LocalRestoreOptions, dump: Dump): Promise<void> {
  const { folder } = options
  const held: (() => void)[] = []
  try {
    makeFolder(folder)
    const { onWait = () => {} } = options
    const lock = await FolderLock.acquire(folder, { codes: 'FRONTIER', onWait })
    held.push(() => lock.release())
    if (readdirSync(folder).some(name => !/^\.?lock-/.test(name))) throw notEmpty(folder)
    await restoreLocked(options, lock, dump, held)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new EscalonaError('FRONTIER_UNUSABLE/cannot-open', { folder, why: whyOf(error) }, { cause: error })
  } finally {
    for (const letGo of held.toReversed()) letGo()
  }
}

/** Texts of links go to the journal; everything else is only in memory, and is kept by the snapshot in the end. */
async function restoreLocked(
  options: LocalRestoreOptions,
  lock: FolderLock,
  dump: Dump,
  held: (() => void)[],
): Promise<void> {
  const { folder, clock = unixClock, onBegun } = options
  writeFileSync(join(folder, IMPORTING), '', { flush: true })
  syncFolder(folder)
  await onBegun?.()
  const journal = new Journal(folder, dump.head.fingerprintSeed, lock.check)
  held.push(() => journal.letGo())
  const ledger = new LedgerFile(folder)
  held.push(() => ledger.close())
  journal.readFrom(1, () => {}, true)
  const state = new FrontierState(settingsOf({}), ledger, dump.head.fingerprintSeed)
  await restoreDump(dump, targetOf(state, journal, ledger, dump.head, clock(), options.dump), options)
  journal.rotate()
  const snapshot = new Snapshot(state)
  try {
    await snapshot.write(folder, journal.segment, ledger, ledger.mark())
  } finally {
    snapshot.letGo()
  }
  lock.check()
  writeSeed(folder, dump.head.fingerprintSeed)
  rmSync(join(folder, IMPORTING))
  syncFolder(folder)
}

/** An empty state that is filled. */
function targetOf(
  state: FrontierState,
  journal: Journal,
  ledger: LedgerFile,
  head: DumpHead,
  nowMs: number,
  from: string,
): RestoreTarget {
  const { hosts, servers, links, auxiliaries } = state
  const out = new ByteWriter()
  const offering = new LocalOffering(state, out)
  const damaged = (what: Message) => damagedDump(from, what)
  state.saw(nowMs)
  state.parts = head.parts
  for (const [bound, name] of BOUNDS.entries()) state.turnAway(bound, head.turnedAway[name])

  const write = (texts: () => void) => {
    out.clear()
    out.u8(EVENT.OFFERED)
    offering.begin(journal.next())
    texts()
    journal.append(out.bytes)
  }
  /** The offset of the last done link: it has no text, but offsets have to grow. */
  let lastAt = 0
  /** One host of each part, once the first done link has come: which one it was may not be known. */
  let hostOfPart: Map<number, HostId> | undefined
  const hostIn = (part: number): HostId => {
    if (hostOfPart === undefined) {
      hostOfPart = new Map()
      for (let host = hosts.known; host > 0; host--) hostOfPart.set(domainHash(hosts.text(host)) % head.parts, host)
    }
    const host = hostOfPart.get(part)
    if (host === undefined) throw damaged(message('dump/no-host-of'))
    return host
  }

  return {
    async server(some) {
      for (const { server: name, readyInMs, failures = 0, failedAgoMs } of some) {
        const server = state.knowServer(name)
        if (readyInMs !== undefined) servers.setReadyAtMs(server, nowMs + readyInMs)
        if (failedAgoMs !== undefined) servers.setLastFailureMs(server, nowMs - failedAgoMs)
        servers.setFailures(server, failures)
      }
    },

    async host(some) {
      for (const { host: name, readyInMs, isResting = false, isProven, isVisited, delayMs, server, ...rest } of some) {
        if (state.hostNamed(name) !== 0) throw damaged(message('dump/wrong-order'))
        const host = state.knowHost(name)
        if (isVisited) state.visit(host)
        if (isProven) hosts.setProven(host, true)
        if (readyInMs !== undefined) {
          hosts.holdUntil(host, nowMs + readyInMs, isResting)
          // Even a time before 1970, which it has if the clock ever went back.
          hosts.setReadyAtMs(host, nowMs + readyInMs)
        }
        if (delayMs !== undefined) hosts.delays.set(host, delayMs)
        if (server !== undefined) hosts.setServer(host, state.knowServer(server))
        hosts.setFailures(host, rest.failures ?? 0)
        hosts.setPages(host, rest.pages ?? 0)
        hosts.received.set(host, rest.received ?? 0)
        hosts.turns.set(host, rest.turns ?? 0)
      }
    },

    async link(some) {
      const pages = some.filter(({ link: { kind = 'page' } }) => kind === 'page')
      for (const { link, attempts = 0 } of some) {
        const { url, kind = 'page', rank, hops, note } = link
        if (kind === 'page' || auxiliaries.has({ kind, url, note })) continue
        const host = state.knowHost(hostOf(url))
        state.addAuxiliary({ kind, url, rank, hops, note, host, attempts, next: undefined })
      }
      write(() => offering.add(pages.map(({ link }) => link)))
      for (const { link, attempts = 0 } of pages) if (attempts > 0) links.setAttempts(state.find(link.url), attempts)
    },

    async note() {},

    async done(some) {
      const { segment, at } = journal.next()
      lastAt = Math.max(lastAt, at)
      for (const record of some) {
        for (const { part, low, high, isPage } of doneIn(record)) {
          const host = hostIn(part)
          if (links.find(low, high) !== 0) continue
          links.add(low, high, isPage ? PAGE : DONE, segment, ++lastAt)
          ledger.add({ low, high, host, rank: 0, segment, at: lastAt })
          state.done++
          if (isPage) state.pages++
        }
      }
    },

    async planned(some) {
      write(() => {
        for (const { visit, attempts = 0, isHinted = false } of some) {
          const link = state.find(visit.url)
          const host = hosts.find(state.key)
          const isDone = link !== 0 && [PAGE, DONE].includes(links.state(link))
          if (!isDone || host === 0) throw damaged(message('dump/wrong-order'))
          state.revisits.plan(link, host, { ...visit, ...offering.writeAgain({ note: undefined, ...visit }) }, isHinted)
          if (attempts > 0) links.setAttempts(link, attempts)
        }
      })
    },

    async counts() {
      return { known: links.last, hosts: hosts.known, auxiliaries: auxiliaries.waiting }
    },
  }
}
