// One small page for every URL of every host: node web.mjs. Says its port.
import { createServer } from 'node:http'

const body = Buffer.from(`<!doctype html><title>page</title><p>${'words and words '.repeat(300)}`)
const server = createServer({ keepAliveTimeout: 60_000 }, ({ url }, response) => {
  const isRobots = url === '/robots.txt'
  response.writeHead(200, { 'Content-Type': isRobots ? 'text/plain' : 'text/html' })
  response.end(isRobots ? 'User-agent: *\nDisallow: /private/\n' : body)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
