// A server that nobody may reach, and a page that tries everything to reach it.
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** What came to the server that nobody may reach. */
export interface Canary {
  readonly port: number
  /** Bytes that came, and the paths that were asked for. */
  readonly bytes: number
  readonly paths: ReadonlySet<string>
}

/** A server on loopback that counts. It answers, so that whoever reaches it once comes again. */
export async function startCanary(t: TestContext): Promise<Canary> {
  const sockets = new Set<Socket>()
  const seen = { bytes: 0, paths: new Set<string>() }
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', data => {
      seen.bytes += data.length
      const path = /^[A-Z]+ \/([\w-]*)/.exec(data.toString('latin1'))?.[1]
      if (path !== undefined) seen.paths.add(path)
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/css\r\naccess-control-allow-origin: *\r\ncontent-length: 0\r\n\r\n',
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    get bytes() {
      return seen.bytes
    },
    get paths() {
      return seen.paths
    },
  }
}

/** Elements that reach for an address by themselves, each in its own way. */
export const REACHING: Readonly<Record<string, (to: string) => string>> = {
  image: to => `<img src="${to}">`,
  srcset: to => `<picture><source srcset="${to} 1x, ${to}-2 2x"><img></picture>`,
  stylesheet: to => `<link rel=stylesheet href="${to}">`,
  preload: to => `<link rel=preload as=image href="${to}"><link rel=modulepreload href="${to}">`,
  prefetch: to =>
    `<link rel=prefetch href="${to}"><link rel=preconnect href="${to}"><link rel=dns-prefetch href="${to}">`,
  script: to => `<script src="${to}"></script>`,
  inline: to => `<script>fetch('${to}');new Image().src='${to}';navigator.sendBeacon('${to}')</script>`,
  handler: to => `<img src="data:," onerror="new Image().src='${to}'"><svg onload="new Image().src='${to}'"></svg>`,
  iframe: to => `<iframe src="${to}"></iframe>`,
  srcdoc: to => `<iframe srcdoc="<img src='${to}'>"></iframe>`,
  object: to => `<object data="${to}" type="text/html"></object>`,
  embed: to => `<embed src="${to}">`,
  media: to =>
    `<video src="${to}" poster="${to}-poster" autoplay preload=auto></video><audio src="${to}" preload=auto></audio>`,
  style: to => `<style>@import "${to}";@import \\75rl(${to}-2);</style>`,
  background: to =>
    `<style>.b{background:url( ${to} )}</style><p class=b>b</p><p style="background:image-set('${to}-set' 1x)">c</p>`,
  css: to =>
    `<style>@property --p{syntax:"*";inherits:true;initial-value:"${to}-property"}
:root{--s:"${to}-custom";--a:attr(title)}@function --f(){result:"${to}-function"}
${[
  'image-set(var(--none,"TO-var"))',
  'image-set(var(--s))',
  'image-set(var(--p))',
  'image-set(env(none,"TO-env"))',
  'image-set(if(style(--none):none;else:"TO-if"))',
  'image-set(--f())',
  'image-set(attr(title))',
  'image-set(attr(title type(<string>)))',
  'image-set(var(--a))',
  '-webkit-image-set(var(--none,"TO-webkit") 1x)',
  'var(--none,image-set("TO-nested" 1x))',
  'src("TO-src")',
  'image("TO-image")',
  'cross-fade(image-set(var(--none,"TO-cross")),red)',
  '\\69mage-set(v\\61r(--none,"\\68ttTO-escaped"))',
  'image-set(var(--none,"\\9TO-tab"))',
]
  .map((value, n) => `.css${n}{content:none;background:${value.replace('httTO', to.slice(1)).replace('TO', to)}}`)
  .join('\n')}</style>${Array.from({ length: 16 }, (_, n) => `<p class=css${n} title="${to}-attr">c</p>`).join('')}
<p style="--s:'${to}-inline';background:image-set(var(--s))">s</p>`,
  svgstyle: to =>
    `<svg><style>.v{background:&#117;rl(${to})}.w{background:u&#x72;l(&quot;${to}-2&quot;)}&commat;import &quot;${to}-3&quot;;.x{background:image-set(var(--n,&quot;${to}-4&quot;))}</style></svg>
<svg><style>&#64;import url(${to}-5);</style></svg><math><style>.y{background:&#117;rl(${to}-6)}</style></math><p class=v>v<p class=w>w<p class=x>x<p class=y>y`,
  font: to => `<style>@font-face{font-family:f;src:url("${to}")}</style><p style="font-family:f">font</p>`,
  attribute: to => `<table background="${to}"><tr><td>t</table>`,
  svg: to =>
    `<svg width=9 height=9><image href="${to}" width=9 height=9 /><image xlink:href="${to}-x" width=9 height=9 /><rect width=9 height=9 filter="url(#f)"/><filter id=f><feImage href="${to}-fe"/></filter></svg>`,
  input: to => `<form action="${to}-form"><input type=image src="${to}"></form>`,
  entities: to => `<img src="&#104;ttp:${to.slice(5).replaceAll('/', '&#x2f;')}">`,
  hidden: to =>
    `<svg><style><img src="${to}"></style></svg><noscript><img src="${to}-no"></noscript><title><img src="${to}-t"></title>`,
  cdata: to =>
    `<svg><![CDATA[<a>]]><![CDATA[>]]></svg><math><annotation-xml encoding="text/html"><img src="${to}"></annotation-xml></math>`,
}

/** Headers that make a browser reach for an address. */
export function reachingHeaders(to: string): Record<string, string> {
  return {
    link: `<${to}-link>; rel=preload; as=image, <${to}-sheet>; rel=stylesheet, <${to}>; rel=preconnect`,
    'set-cookie': 'canary=1; Path=/',
    'content-security-policy-report-only': `default-src 'none'; report-uri ${to}-report`,
    'report-to': `{"group":"g","max_age":9,"endpoints":[{"url":"${to}-reports"}]}`,
    'service-worker-allowed': '/',
    'strict-transport-security': 'max-age=9',
  }
}

/** A page with all of them, and links. */
export function reachingPage(origin: string, kinds = Object.keys(REACHING)): string {
  return `<!doctype html><html><head><title>Reaching</title>
${kinds.map(kind => REACHING[kind]!(`${origin}/${kind}`)).join('\n')}
<p><a id=away href="${origin}/link" ping="${origin}/ping" target=_top>away</a>
<svg width=50 height=50><a href="${origin}/svglink"><rect id=svg width=50 height=50 /></a></svg>
<svg width=50 height=50><a><rect id=animated width=50 height=50 /><animate attributeName=href values="#;${origin.replace('http://', 'https:')}/animated" begin=0s dur=0.1s fill=freeze /></a></svg>
<img src="/own"><p id=end>The end.`
}

/** A page that leads away by itself: by its base, and by a refresh. */
export function leadingPage(origin: string): string {
  return `<!doctype html><base href="${origin}/"><meta http-equiv=refresh content="0; url=${origin}/refresh"><title>Leading</title>
<img src=base><form action="${origin}/submit" target=_top><input name=a></form><script>document.forms[0].submit()</script>`
}
