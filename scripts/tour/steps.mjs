// What the tour does, in order, and what it says in each language. `run` is typed as it is; PORT becomes the web's port.
//   stopAt: the request at which Ctrl-C is pressed; lookAt: the request at which the step `beside` is run in a second terminal.
const library = 'http://library.test:PORT'

export const HEADS = {
  en: {
    title: 'A tour of Escalona',
    other: '[Português](tour.pt-BR.md)',
    intro:
      'A walk through Escalona as a new user: from an empty folder and the packed tarball to a crawl that was stopped, resumed, widened and looked at. `node scripts/tour.mjs` makes this page from real runs, and a test checks that it is still true. The web is a small one on loopback: a library and a museum. Times, sizes and rates depend on the machine and are shown as `…`; progress lines are left out.',
    exit: code => `(exit code ${code})`,
    second: 'meanwhile, in a second terminal',
  },
  pt: {
    title: 'Um passeio pelo Escalona',
    other: '[English](tour.md)',
    intro:
      'Um passeio pelo Escalona como novo usuário: de uma pasta vazia e do pacote até uma coleta interrompida, retomada, ampliada e examinada. `node scripts/tour.mjs` gera esta página a partir de execuções reais, e um teste verifica que ela continua verdadeira. A web é pequena e local: uma biblioteca e um museu. Tempos, tamanhos e taxas dependem da máquina e aparecem como `…`; as linhas de progresso foram omitidas.',
    exit: code => `(código de saída ${code})`,
    second: 'enquanto isso, em um segundo terminal',
  },
}

export const FILES = {
  'tour.toml': `contact = "you@example.org"
delay = "50ms"
addresses = ["127.0.0.1 library.test", "127.0.0.1 museum.test"]
allow-network = ["127.0.0.0/8"]
`,
  'titles.mjs': `import { openCrawl } from 'escalona'

const crawl = await openCrawl('crawl')
for await (const page of crawl.pages()) console.log(page.status, page.title)
await crawl.close()
`,
}

export const STEPS = [
  {
    en: ['Install', 'From the tarball here; `npm install -g` of the same makes the command known everywhere.'],
    pt: ['Instalar', 'Aqui, a partir do pacote; com `npm install -g`, o comando fica disponível em toda parte.'],
    run: ['npm install ./escalona-VERSION.tgz', 'export PATH="$PWD/node_modules/.bin:$PATH"', 'escalona version'],
  },
  {
    en: ['What it does', 'Without arguments it shows the things that people do with it.'],
    pt: ['O que ele faz', 'Sem argumentos, mostra o que se faz com ele.'],
    run: ['escalona'],
  },
  {
    en: ['Mistakes', 'Typing errors are recognised.'],
    pt: ['Enganos', 'Erros de digitação são reconhecidos.'],
    run: ['escalona crwal', 'escalona crawl --dealy 1s'],
  },
  {
    en: [
      'The first crawl, and Ctrl-C',
      'Options can come from a file. This one is needed only because the web of this tour is on loopback. After six pages we press Ctrl-C: the open request is finished, and everything is kept.',
    ],
    pt: [
      'A primeira coleta, e Ctrl-C',
      'As opções podem vir de um arquivo. Este só é necessário porque a web deste passeio é local. Depois de seis páginas, apertamos Ctrl-C: a requisição aberta termina, e tudo fica guardado.',
    ],
    run: ['cat tour.toml', `escalona crawl ${library}/ --config tour.toml --scope host`],
    stopAt: 'library.test/books/2.html',
  },
  {
    en: ['Where it stands', ''],
    pt: ['Em que pé está', ''],
    run: ['escalona status crawl'],
  },
  {
    en: ['Resume', 'The folder knows its seeds and settings; nothing else is needed.'],
    pt: ['Retomar', 'A pasta guarda as sementes e as opções; nada mais é necessário.'],
    run: ['escalona resume crawl'],
  },
  {
    en: ['Other seeds', 'They are not mixed into a crawl by accident.'],
    pt: ['Outras sementes', 'Elas não se misturam a uma coleta por engano.'],
    run: ['escalona crawl http://museum.test:PORT/'],
  },
  {
    en: ['What was not collected, and why', ''],
    pt: ['O que não foi coletado, e por quê', ''],
    run: [
      'escalona list crawl --state refused',
      'escalona list crawl --state held',
      `escalona explain crawl ${library}/private/staff.html`,
      'escalona hosts crawl',
    ],
  },
  {
    en: ['A page from the archive', ''],
    pt: ['Uma página do acervo', ''],
    run: [`escalona cat crawl ${library}/visit.html --text`, `escalona cat crawl ${library}/visit.html --links`],
  },
  {
    en: [
      'A changed setting brings links back',
      'The museum was outside the scope. With a wider scope its link comes back. The museum asks for three seconds between requests, so there is time for a look at the running crawl.',
    ],
    pt: [
      'Uma opção alterada traz links de volta',
      'O museu estava fora do escopo. Com um escopo maior, o link dele volta. O museu pede três segundos entre requisições, de modo que há tempo para examinar a coleta em andamento.',
    ],
    run: ['escalona resume crawl --scope any'],
    lookAt: 'museum.test/',
    beside: 'escalona status crawl',
  },
  {
    en: [
      'The folder and its report',
      '`report.html` opens in any browser and needs no network. See it in the [README](../README.md).',
    ],
    pt: [
      'A pasta e o relatório',
      '`report.html` abre em qualquer navegador e não precisa de rede. Veja-o no [README](../README.pt-BR.md).',
    ],
    run: ['ls crawl', 'ls crawl/archive'],
  },
  {
    en: ['The library, in five lines', 'The same folder, read by a program.'],
    pt: ['A biblioteca, em cinco linhas', 'A mesma pasta, lida por um programa.'],
    run: ['cat titles.mjs', 'node titles.mjs'],
  },
]
