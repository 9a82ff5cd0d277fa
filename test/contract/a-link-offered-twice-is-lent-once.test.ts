import assert from 'node:assert/strict'
import { hostOf, type Link } from '../../src/frontier/frontier.ts'
import { lawHolds } from './lives.ts'
import { drain } from './sentences/sentence.ts'

/** Nothing comes back. */
const ONE_VISIT = { options: { leaseMs: 1e9 }, world: { oneVisitEach: true as const, reopens: false, pages: 40 } }

lawHolds(
  'a link that is offered many times is new once and lent once, ever',
  () => {
    const offered = new Set<string>()
    const lent = new Set<string>()
    let repeats = 0
    const isOffered = (links: readonly Link[], fresh: number) => {
      const before = offered.size
      for (const { url } of links) offered.add(url)
      assert.equal(fresh, offered.size - before)
      repeats += links.length - fresh
    }
    const isLent = (url: string) => {
      assert.ok(offered.has(url), `${url} was lent and never offered`)
      assert.ok(!lent.has(url), `${url} was lent twice`)
      lent.add(url)
    }
    return {
      saw(deed) {
        if (deed.deed === 'offered') isOffered(deed.links, deed.fresh)
        if (deed.deed === 'settled') {
          const links = deed.settlements.flatMap(settlement => settlement.links)
          isOffered(links, deed.fresh)
        }
        if (deed.deed === 'lent') for (const { url } of deed.tickets) isLent(url)
      },
      async ended({ subject, player, maker }) {
        const open = player.openTickets.map(({ id }) => ({
          ticketId: id,
          outcome: { kind: 'done' as const },
          links: [],
        }))
        const settlements = open.map(one => ({ ...one, delayMs: 0 }))
        await subject.frontier.settle(settlements, player.nowMs)
        if (maker.whyNoReopening === undefined) await subject.reopen()
        for (const { url } of await drain(subject.frontier, player.nowMs)) isLent(url)
        assert.equal(lent.size, offered.size)
        assert.ok(repeats > 200, `only ${repeats} links were offered again`)
        assert.equal(subject.frontier.counts().known, offered.size)
      },
    }
  },
  ONE_VISIT,
)

lawHolds(
  'a link is lent once more for each time that it came back, and never after it was done or refused',
  options => {
    interface Story {
      /** How often it may be lent now. */
      due: number
      open: { id: number; dueMs: number } | undefined
      isOver: boolean
    }
    let stories = new Map<string, Story>()
    const offer = (links: readonly Link[]) => {
      for (const { url } of links) if (!stories.has(url)) stories.set(url, { due: 1, open: undefined, isOver: false })
    }
    const opened = (id: number) => [...stories.values()].find(({ open }) => open?.id === id)!
    const comeBack = (story: Story) => {
      story.open = undefined
      story.due++
    }
    return {
      saw(deed) {
        switch (deed.deed) {
          case 'offered':
            offer(deed.links)
            break
          case 'lent':
            for (const story of stories.values()) if (story.open && story.open.dueMs <= deed.nowMs) comeBack(story)
            for (const { url, id, dueMs } of deed.tickets) {
              const story = stories.get(url)
              assert.ok(story && !story.isOver && story.due === 1, `${url}: ${JSON.stringify(story)}`)
              story.due = 0
              story.open = { id, dueMs }
            }
            break
          case 'settled':
            for (const { ticketId, outcome, links } of deed.settlements) {
              const story = opened(ticketId)
              if (outcome.kind === 'again') comeBack(story)
              else Object.assign(story, { open: undefined, isOver: true })
              offer(links)
            }
            break
          case 'given back':
            for (const id of deed.ids) comeBack(opened(id))
            break
          case 'renewed':
            for (const id of deed.ids) opened(id).open = { id, dueMs: deed.nowMs + options.leaseMs }
            break
          case 'reopened':
            for (const story of stories.values()) if (story.open) comeBack(story)
            break
          case 'cleared':
            if (deed.host === undefined) stories = new Map()
            for (const [url, story] of stories) {
              const isWaiting = !story.open && !story.isOver
              if (hostOf(url) === deed.host && isWaiting) Object.assign(story, { due: 0, isOver: true })
            }
        }
      },
      async ended({ subject }) {
        const { known, lent, done, refused } = subject.frontier.counts()
        const all = [...stories.values()]
        assert.equal(known, all.length)
        assert.equal(lent, all.filter(({ open }) => open).length)
        assert.equal(done + refused, all.filter(({ isOver }) => isOver).length)
      },
    }
  },
)
