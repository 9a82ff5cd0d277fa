// The small web that the tour walks through: a library and a museum, on loopback. Pages are the same each time.
import { createServer } from 'node:http'

const page = (title, text, links) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p>` +
  `${links.map(link => `<p><a href="${link}">${link}</a></p>`).join('')}</html>`

const books = Array.from({ length: 6 }, (_, n) => `/books/${n + 1}.html`)
const news = Array.from({ length: 3 }, (_, n) => `/news/${n + 1}.html`)

/** Host, then path, to what is answered; `museum` is the museum's address with its port. */
function sites(museum) {
  const html = (title, text, ...links) => ({ type: 'text/html; charset=utf-8', body: page(title, text, links) })
  const text = body => ({ type: 'text/plain', body })
  const front = ['/books/', '/news/', '/visit.html', '/private/staff.html', '/old.html', '/plan.pdf', museum]
  return {
    'library.test': {
      '/robots.txt': text('User-agent: *\nDisallow: /private/\n'),
      '/': html('The library', 'Open every day from nine to six.', ...front),
      '/books/': html('Books', 'Our books, by number.', ...books),
      '/news/': html('News', 'What is new at the library.', ...news),
      '/visit.html': html('Your visit', 'Please leave your coat and your coffee at the door.', '/'),
      '/plan.pdf': { type: 'application/pdf', body: '%PDF-1.4' },
      ...Object.fromEntries(books.map((path, n) => [path, html(`Book ${n + 1}`, 'A good book.', '/books/')])),
      ...Object.fromEntries(news.map((path, n) => [path, html(`News ${n + 1}`, 'Something happened.', '/news/')])),
    },
    'museum.test': {
      '/robots.txt': text('User-agent: *\nCrawl-delay: 3\n'),
      '/': html('The museum', 'Next door to the library.', '/rooms.html'),
      '/rooms.html': html('Rooms', 'There are two of them.', '/'),
    },
  }
}

/** Serves it on a free port. `onRequest` is called with `host/path` before each answer, and may keep it waiting. */
export async function serveTourWeb(onRequest) {
  let pages = {}
  const server = createServer(async (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    await onRequest(`${host}${request.url}`)
    const found = pages[host]?.[request.url]
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.body ?? 'not here')
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  pages = sites(`http://museum.test:${port}/`)
  return {
    port,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}
