// Links in every shape that people write. Each leads to a page of its own, so a link that is read wrongly is a missing page.
export function linkShapes(site) {
  const links = []
  /** A link as written in the source, and the path that it means. */
  const shape = (html, path) => {
    const name = html.includes('%s') ? html.replaceAll('%s', `${site.name}:{{port}}`) : html
    if (!site.pages.has(path)) site.page(path, { kind: 'shape' })
    links.push({ html: name, to: site.place(path) })
  }
  const nothing = (html, refused) => links.push({ html, ...(refused && { refused }) })

  shape('<a href="relative.html">x</a>', '/shapes/relative.html')
  shape('<a href="./dot.html">x</a>', '/shapes/dot.html')
  shape('<a href="../shapes/up.html">x</a>', '/shapes/up.html')
  shape('<a href="../../../shapes/too-far-up.html">x</a>', '/shapes/too-far-up.html')
  shape('<a href="/shapes/absolute.html">x</a>', '/shapes/absolute.html')
  shape('<a href="/other/../shapes/./crooked.html">x</a>', '/shapes/crooked.html')
  shape('<a href="//%s/shapes/no-scheme.html">x</a>', '/shapes/no-scheme.html')
  shape('<a href="http://%s/shapes/whole.html">x</a>', '/shapes/whole.html')
  shape(`<a href="HTTP://${site.name.toUpperCase()}:{{port}}/shapes/capital.html">x</a>`, '/shapes/capital.html')
  shape('<a href="http://user:word@%s/shapes/credentials.html">x</a>', '/shapes/credentials.html')
  shape('<a href="fragment.html#part">x</a>', '/shapes/fragment.html')
  shape('<a href="?page=2">x</a>', '/shapes/?page=2')
  shape('<a href="query.html?a=1&amp;b=2">x</a>', '/shapes/query.html?a=1&b=2')
  shape('<a href="query.html?a=1&b=3">x</a>', '/shapes/query.html?a=1&b=3')
  shape('<a href="empty-query.html?">x</a>', '/shapes/empty-query.html')
  shape('<a href="with blank.html">x</a>', '/shapes/with%20blank.html')
  shape('<a href="escaped%20blank.html">x</a>', '/shapes/escaped%20blank.html')
  shape('<a href="ação.html">x</a>', '/shapes/a%C3%A7%C3%A3o.html')
  shape('<a href="%7etilde.html">x</a>', '/shapes/%7etilde.html')
  shape('<a href=" \n around.html\t ">x</a>', '/shapes/around.html')
  shape('<a href="ta\tbs-and\n-lines.html">x</a>', '/shapes/tabs-and-lines.html')
  shape('<a href="back\\slash.html">x</a>', '/shapes/back/slash.html')
  shape('<a href="http:same-scheme.html">x</a>', '/shapes/same-scheme.html')
  shape('<a href=unquoted.html>x</a>', '/shapes/unquoted.html')
  shape("<a href='single.html'>x</a>", '/shapes/single.html')
  shape('<A HREF="shouted.html">x</A>', '/shapes/shouted.html')
  shape('<a class="a" data-x=1 href = "spaced.html" >x</a>', '/shapes/spaced.html')
  shape('<a href="&#100;ecimal.html">x</a>', '/shapes/decimal.html')
  shape('<map name="m"><area href="area.html" alt="x"></map>', '/shapes/area.html')
  shape('<a href="dot.html">twice</a>', '/shapes/dot.html')

  nothing('<a href="#top">x</a>')
  nothing('<a href="">x</a>')
  nothing('<a>x</a>')
  nothing('<!-- <a href="commented.html">x</a> -->')
  nothing('<script>const a = \'<a href="scripted.html">\'</script>')
  nothing('<textarea><a href="typed.html"></textarea>')
  for (const html of ['javascript:void(0)', 'mailto:a@b.test', 'tel:+55', 'data:text/html,x', 'ftp://b.test/f']) {
    nothing(`<a href="${html}">x</a>`, 'protocol')
  }
  nothing('<a href="http://[::bad/">x</a>', 'malformed')
  nothing('<a href="http://a.test:99999/">x</a>', 'malformed')
  site.page('/shapes/', { kind: 'shapes', links })
  site.link('/', { href: '/shapes/', to: site.place('/shapes/') })
  bases(site)
}

/** `<base href>` and meta refresh. */
function bases(site) {
  site.page('/based/here.html', { kind: 'shape' })
  site.page('/based/deep/there.html', { kind: 'shape' })
  site.linkedPage('/shapes-base.html', {
    kind: 'base',
    head: '<base href="/based/deep/"><base href="/never/">',
    links: [
      { href: '../here.html', to: site.place('/based/here.html') },
      { href: 'there.html', to: site.place('/based/deep/there.html') },
    ],
  })
  site.page('/refreshed.html', { kind: 'shape' })
  site.linkedPage('/refresh.html', {
    kind: 'refresh',
    head: '<meta http-equiv="refresh" content="5; url=refreshed.html">',
    leadsTo: [site.place('/refreshed.html')],
  })
}
