// URLs as nobody writes them on purpose, always the same ones.
const HOSTS = [
  ...[
    'a.com',
    'www.a.com',
    'WWW2.a.com',
    'www.com',
    'wwww.a.com',
    'www1.2.com',
    'a.com.',
    'a_b.com',
    '-a-.com',
    '1.com',
  ],
  ...['x.y.z.co.uk:8080', 'a.com:80', 'a.com:443', 'user:pw@a.com', 'bücher.de', 'xn--bcher-kva.de', 'www..com'],
  ...['[2001:db8::1]', '[::1]:81', '127.0.0.1', '0.0.0.0', '1.2.3.4:443', '0x7f.1', '017700000001'],
]
const PIECES = [
  ...[
    'a',
    'B',
    'x.aspx',
    'a=1',
    'b=2',
    'utm_source=x',
    '~',
    '*',
    "'",
    '(',
    ')',
    ':',
    '@',
    '!',
    '$',
    ',',
    ';',
    '+',
    '=',
  ],
  ...[
    '%28',
    '%29',
    '%2F',
    '%2e',
    '%2E%2e',
    '%25',
    '%2525',
    '%25%32%38',
    '%',
    '%zz',
    '%u1234',
    '%7E',
    '%23',
    '%3F',
    '%26',
  ],
  ...[
    '%3D',
    '%00',
    '%0a',
    '%ff',
    '%C3%A9',
    '%C4%B0',
    '%E2%84%AA',
    'é',
    '日',
    '\u0130',
    '\u212a',
    ' ',
    '#',
    '?',
    '&',
    '&&',
  ],
  ...['|', '{', '}', '^', '`', '"', '<', '>', '[', ']', '\\', '.', '..', '/', '//', '/./', '/../'],
  ...['jsessionid=0123456789abcdef0123456789ABCDEF', 'PHPSESSID=0123456789abcdef0123456789abcdef'],
  ...['sid=0123456789abcdef0123456789abcdef', 'ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX', 'cfid=1&cftoken=2'],
  ...['(a(0123456789abcdefghijklmn))/', '(0123456789abcdefghijklmn)/'],
]

/** So many canonical URLs. */
export function oddUrls(count) {
  let state = 1
  const below = n => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const some = () => Array.from({ length: below(7) }, () => PIECES[below(PIECES.length)]).join('')
  const urls = new Set()
  while (urls.size < count) {
    const text = `${['http', 'https'][below(2)]}://${HOSTS[below(HOSTS.length)]}/${some()}${below(2) ? `?${some()}` : ''}`
    if (URL.canParse(text)) urls.add(withoutLogin(new URL(text)))
  }
  return [...urls]
}

function withoutLogin(url) {
  url.username = url.password = url.hash = ''
  return url.href
}
