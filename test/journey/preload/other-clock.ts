// Loaded before the command: the computer's clock is so many hours off, in all threads.
const hours = Number(process.env.ESCALONA_TEST_HOURS ?? 0)
const ms = hours * 3_600_000
const { timeOrigin } = performance
const { now } = Date

Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + ms })
Date.now = () => now() + ms
