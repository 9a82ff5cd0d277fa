import { catalogue } from '../base/words/language.ts'

/** What `escalona` alone and `escalona --help` show: what it is, what people do with it, where to read more. */
export function overview(): string {
  return words()()
}

const words = catalogue({
  en: () => `Escalona decides which URL comes next, and collects pages from the web politely.

Collect pages, and stop whenever you like
  escalona crawl https://ufmg.br/ -n 1000 --scope domain --contact you@ufmg.br
Continue a crawl that stopped or was killed
  escalona resume crawl
Look at a crawl, even while it runs
  escalona status crawl        what it is doing, and what became of every link
  escalona explain crawl https://ufmg.br/x          why a URL is missing
  escalona ui crawl            the same and more in a browser; also crawl --ui
  escalona search crawl "open source"     find archived pages by their text
  escalona replay crawl        read the archived pages, and compare their visits
Schedule the URLs of a command file, without a network
  escalona example             writes coleta1.txt, to start from
  escalona coleta1.txt         writes coleta1-out.txt
Analyze how the scheduler uses memory
  escalona coleta1.txt -l access.log && escalona analyze access.log

Commands: crawl, resume, pause, stop, change, status, hosts, list, explain,
  search, duplicates, cat, ui, replay, export, wacz, audit, frontier, run,
  example, generate, analyze, experiment, simulate, completion, help, version
escalona help COMMAND, or COMMAND --help: its options; help patterns: URLs.
--lang en|pt chooses the language of messages; otherwise LANG does.
Documentation: https://github.com/escalona/escalona/tree/main/docs
`,
  pt: () => `Escalona decide qual URL vem a seguir e coleta páginas da web com educação.

Coletar páginas, e parar quando quiser
  escalona crawl https://ufmg.br/ -n 1000 --scope domain --contact voce@ufmg.br
Continuar uma coleta que parou ou foi interrompida
  escalona resume crawl
Examinar uma coleta, mesmo enquanto ela roda
  escalona status crawl        o que ela faz e o destino de cada link
  escalona explain crawl https://ufmg.br/x          por que uma URL não está lá
  escalona ui crawl            isso e mais num navegador; também crawl --ui
  escalona search crawl "código aberto"   achar páginas arquivadas pelo texto
  escalona replay crawl        ler as páginas arquivadas e comparar as visitas
Escalonar as URLs de um arquivo de comandos, sem rede
  escalona example             escreve coleta1.txt, para começar
  escalona coleta1.txt         escreve coleta1-out.txt
Analisar como o escalonador usa a memória
  escalona coleta1.txt -l access.log && escalona analyze access.log

Comandos: crawl, resume, pause, stop, change, status, hosts, list, explain,
  search, duplicates, cat, ui, replay, export, wacz, audit, frontier, run,
  example, generate, analyze, experiment, simulate, completion, help, version
escalona help COMANDO, ou COMANDO --help: as opções; help patterns: URLs.
--lang en|pt escolhe o idioma das mensagens; senão, vale LANG.
Documentação: https://github.com/escalona/escalona/tree/main/docs
`,
})
