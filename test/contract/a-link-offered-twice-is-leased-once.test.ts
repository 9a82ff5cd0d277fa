import assert from 'node:assert/strict'
import type { Link, Shown } from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'
import { UNBOUNDED } from './operations.ts'
import { drain } from './sentences/sentence.ts'

/** Nothing comes back, and nothing is gone. */
const ONE_VISIT = {
  options: { ...UNBOUNDED, leaseMs: 1e9, unproven: 1e6, auxiliaries: 1e6 },
  world: {
    ...{
      oneVisitEach: true as const,
      reopens: false,
      pages: 40,
      auxiliaries: 0,
      refusals: 0,
      hostility: 0,
      revisits: false,
    },
    shown: ['answer', 'trouble', 'silence'] as Shown[],
    servers: Array.from({ length: 50 }, (_, n) => `192.0.2.${n}`),
  },
}

lawHolds(
  'a link that is offered many times is new once and leased to its end once, ever',
  () => {
    const offered = new Set<string>()
    const visited = new Set<string>()
    const book = new OpenBook(1e9, ({ url }, how) => {
      if (how === 'unasked') visited.delete(url)
    })
    let repeats = 0
    const isOffered = (links: readonly Link[], fresh: number) => {
      const before = offered.size
      for (const { url } of links) offered.add(url)
      assert.equal(fresh, offered.size - before)
      repeats += links.length - fresh
    }
    const isLeased = (url: string) => {
      assert.ok(offered.has(url), `${url} was leased and never offered`)
      assert.ok(!visited.has(url), `${url} was leased twice`)
      visited.add(url)
    }
    return {
      saw(deed) {
        book.saw(deed)
        if (deed.deed === 'offered') isOffered(deed.links, deed.fresh)
        if (deed.deed === 'settled') {
          for (const [n, { links }] of deed.settlements.entries()) isOffered(links, deed.fresh[n]!)
        }
        if (deed.deed !== 'leased') return
        for (const ticket of deed.tickets) {
          book.enter(ticket, deed.nowMs)
          isLeased(ticket.url)
        }
      },
      async ended({ subject, player }) {
        await subject.frontier.settle(
          player.openTickets.map(({ id: ticketId }) => ({
            ticketId,
            ...{ outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 0 },
          })),
          player.nowMs,
        )
        if (subject.frontier.supports.reopen) await subject.reopen()
        for (const { url } of await drain(subject.frontier, player.nowMs)) isLeased(url)
        assert.equal(visited.size, offered.size)
        assert.ok(repeats >= 10, `only ${repeats} links were offered again`)
        assert.equal((await subject.frontier.counts()).known, offered.size)
      },
    }
  },
  ONE_VISIT,
)

interface Story {
  isOpen: boolean
  isOver: boolean
  isRefused: boolean
}

lawHolds(
  'a link is leased once more for each time that it came back or was requeued, and never after it was done or refused',
  ({ leaseMs }) => {
    let stories = new Map<string, Story>()
    const book = new OpenBook(leaseMs, ({ url }) => {
      stories.get(url)!.isOpen = false
    })
    const offer = (links: readonly Link[]) => {
      for (const { url, refused } of links) {
        const isRefused = refused !== undefined
        if (!stories.has(url)) stories.set(url, { isOpen: false, isOver: isRefused, isRefused })
      }
    }
    const refuseWaiting = (host: string) => {
      for (const [url, story] of stories) {
        if (hostOf(url) === host && !story.isOpen && !story.isOver)
          Object.assign(story, { isOver: true, isRefused: true })
      }
    }
    const requeue = (links: readonly Link[]) =>
      links.filter(({ url }) => {
        const story = stories.get(url)
        if (!story?.isRefused) return false
        Object.assign(story, { isOver: false, isRefused: false })
        return true
      })
    return {
      saw(deed) {
        const open = new Map(book.open)
        book.saw(deed)
        switch (deed.deed) {
          case 'offered':
            offer(deed.links)
            break
          case 'leased':
            for (const ticket of deed.tickets) {
              const story = stories.get(ticket.url)
              assert.ok(story && !story.isOver && !story.isOpen, `${ticket.url}: ${JSON.stringify(story)}`)
              story.isOpen = true
              book.enter(ticket, deed.nowMs)
            }
            break
          case 'settled':
            for (const { ticketId, outcome, shown, links } of deed.settlements) {
              const ticket = open.get(ticketId)
              open.delete(ticketId)
              const isRefused = outcome.kind === 'refused'
              if (ticket && outcome.kind !== 'again') {
                Object.assign(stories.get(ticket.url)!, { isOver: true, isRefused })
              }
              if (ticket && shown === 'gone') refuseWaiting(ticket.host)
              offer(links)
            }
            break
          case 'formerly visited':
            for (const { url, links } of deed.visits) {
              const story = stories.get(url)
              if (!story || story.isOpen || story.isOver) continue
              story.isOver = true
              offer(links)
            }
            break
          case 'requeued':
            assert.equal(requeue(deed.links).length, deed.count)
            break
          case 'cleared':
            if (deed.host === undefined) stories = new Map()
            else refuseWaiting(deed.host)
        }
      },
      async ended({ subject }) {
        const { known, leased, done, refused } = await subject.frontier.counts()
        const all = [...stories.values()]
        assert.equal(known, all.length)
        assert.equal(leased, all.filter(({ isOpen }) => isOpen).length)
        assert.equal(refused, all.filter(({ isRefused }) => isRefused).length)
        assert.equal(done + refused, all.filter(({ isOver }) => isOver).length)
      },
    }
  },
  { options: UNBOUNDED, world: { auxiliaries: 0, revisits: false } },
)
