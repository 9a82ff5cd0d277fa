import assert from 'node:assert/strict'
import { livesTest } from './lives.ts'

const HOSTS = 12
/** One turn in eight goes to all in turn. In eight times the turns that a round takes on average, each host has had one. */
const MOST_TURNS = 8 * 8 * HOSTS

livesTest(
  'with the strategy important, a host that receives nothing has its turn, however much others receive',
  {
    lives: 1,
    freshLives: 1,
    options: {
      strategy: 'important',
      limit: Infinity,
      unproven: Infinity,
      leaseMs: 60_000,
      delayMs: 0,
      serverGapMs: 0,
    },
    world: { revisits: false },
  },
  async ({ subject: { frontier }, random, clock, rounds }) => {
    const linkOf = (host: number, page: number) => ({ url: `http://h${host}.com/${page}`, rank: 0, hops: 0 })
    await frontier.offer(Array.from({ length: HOSTS }, (_, host) => linkOf(host, 0)))
    const turns: number[] = new Array(HOSTS).fill(0)
    const last: number[] = new Array(HOSTS).fill(0)
    for (let turn = 1; turn <= rounds(1500); turn++) {
      const { tickets } = await frontier.take(1, clock.nowMs)
      const [ticket] = tickets
      assert.ok(ticket)
      const host = Number(/\d+/.exec(ticket.host)![0])
      turns[host]!++
      last[host] = turn
      // Three hosts give each other more and more.
      const given = { ...linkOf(random.below(3), turn), gives: host < 3 ? turn : 0 }
      const links = [linkOf(host, turn + 10_000), given]
      await frontier.settle(
        [{ ticketId: ticket.id, outcome: { kind: 'done', isPage: true }, links, shown: 'answer', delayMs: 0 }],
        clock.nowMs,
      )
      for (const at of last) assert.ok(turn - at < MOST_TURNS, `a host has had no turn for ${turn - at}`)
    }
    const few = Math.max(...turns.slice(3))
    assert.ok(
      turns.slice(0, 3).every(count => count > few),
      `turns: ${turns}`,
    )
  },
)
