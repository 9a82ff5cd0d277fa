// Answers that are no pages, and pages that come only at the second time.
const HTML = { 'Content-Type': 'text/html' }
const BODY = '<!doctype html><title>Oops</title><p>Not here</p>'

export function statuses(site) {
  for (const status of [404, 410, 403, 401]) {
    site.linkedAnswer(`/status/${status}`, { kind: 'status', status, headers: HTML, body: BODY })
  }
  site.linkedAnswer('/status/204', { kind: 'status', status: 204 })
  thenFine(site, 429)
}

/** On a host of its own: two refusals in a row make a host rest longer than a short test lasts. */
export function later(site) {
  thenFine(site, 503)
}

function thenFine(site, status) {
  const first = [{ status, headers: { 'Retry-After': '2' } }]
  site.linkedPage(`/status/${status}-then-fine.html`, { kind: 'later', act: { first } })
}

/** A page that always fails, in one way or another. Each needs a host of its own: whoever fails is asked more rarely. */
export function alwaysError(site) {
  site.linkedAnswer('/broken/error.html', { kind: 'failure', status: 500, headers: HTML, body: BODY })
}

export function alwaysReset(site) {
  site.linkedAnswer('/broken/reset.html', { kind: 'failure', act: { resets: true } })
}

export function alwaysCut(site) {
  const headers = { ...HTML, 'Content-Length': '5000' }
  site.linkedAnswer('/broken/cut.html', { kind: 'failure', headers, body: BODY, act: { cuts: true } })
}

export function slow(site) {
  for (let n = 1; n <= 3; n++) site.linkedPage(`/slow/${n}.html`, { kind: 'slow', act: { waitMs: 300 } })
}
