import assert from 'node:assert/strict'
import { livesTest } from './lives.ts'
import { OpenBook } from './open-book.ts'
import { everyPage } from './player.ts'

livesTest('the counts always add up', { lives: 1, freshLives: 1 }, async (life, watch) => {
  const book = new OpenBook(life.options.leaseMs)
  watch(deed => {
    book.saw(deed)
    if (deed.deed === 'leased') for (const ticket of deed.tickets) book.enter(ticket, deed.nowMs)
  })
  for (let step = 0; step < life.rounds(300); step++) {
    await life.play(1)
    const { frontier } = life.subject
    const counts = await frontier.counts()
    const views = await everyPage(cursor => frontier.hosts(cursor), 4)
    const sum = (of: (view: (typeof views)[number]) => number) => views.reduce((all, view) => all + of(view), 0)
    assert.equal(counts.known, counts.waiting + counts.leased + counts.done + counts.refused)
    assert.equal(
      counts.refused,
      Object.values(counts.refusedFor).reduce((all, count) => all + count, 0),
    )
    assert.equal(counts.hosts, views.length)
    assert.equal(
      counts.waiting,
      sum(({ waiting }) => waiting),
    )
    assert.equal(
      counts.pages,
      sum(({ pages }) => pages),
    )
    assert.equal(
      counts.down,
      sum(({ isDown, waiting }) => (isDown ? waiting : 0)),
    )
    assert.ok(counts.pages <= counts.done)
    const open = [...book.open.values()]
    const pages = open.filter(({ kind }) => kind === 'page').length
    const revisits = open.filter(({ again }) => again !== undefined).length
    assert.deepEqual([counts.leased, counts.revisiting], [pages - revisits, revisits])
    assert.equal(
      counts.due,
      sum(({ due }) => due),
    )
    assert.ok(counts.due <= counts.planned && counts.planned + counts.revisiting <= counts.done)
    assert.ok(counts.auxiliaries >= open.length - pages)
    assert.equal(views.filter(({ state }) => state === 'leased').length, open.length)
    const { ready, resting, down } = await frontier.outlook()
    assert.equal(ready + resting, views.filter(({ state }) => state === 'waiting').length)
    assert.equal(down, views.filter(({ isDown, waiting }) => isDown && waiting > 0).length)
    if (step % 10 > 0) continue
    const refused = await everyPage(cursor => frontier.links({ state: 'refused' }, cursor), 7)
    assert.equal(refused.length, counts.refused)
    const classes = await frontier.backlog()
    const inClasses = classes.reduce((all, { hosts }) => all + hosts, 0)
    assert.equal(inClasses, views.filter(({ waiting }) => waiting > 0).length)
    const lists = await Promise.all(views.map(({ host }) => everyPage(cursor => frontier.waiting(host, cursor))))
    assert.deepEqual(
      lists.map(list => list.length),
      views.map(({ waiting }) => waiting),
    )
  }
})
