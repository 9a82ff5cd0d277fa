// The simulator.
export const simulateMessages = () =>
  ({
    'SIMULATE_BAD_GRAPH/byte': [
      '{place}: “{text}” is not a page number; a graph has whole numbers and blanks only',
      '{place}: “{text}” não é um número de página; um grafo só tem números inteiros e espaços',
    ],
    'SIMULATE_BAD_GRAPH/head': [
      '{place}: a graph starts with the number of its pages, or with a link: two page numbers',
      '{place}: um grafo começa com o número de páginas, ou com um link: dois números de página',
    ],
    'SIMULATE_BAD_GRAPH/range': [
      '{place}: there is no page {page}; the pages are 0 to {last:count}',
      '{place}: não existe a página {page}; as páginas vão de 0 a {last:count}',
    ],
    'SIMULATE_BAD_GRAPH/pages': [
      '{place}: {pages} pages are too many; the simulator takes at most {most:count}',
      '{place}: {pages} páginas são demais; o simulador aceita no máximo {most:count}',
    ],
    'SIMULATE_BAD_GRAPH/links': [
      '{place}: more than {most:count} links; simulate a part of the graph',
      '{place}: mais de {most:count} links; simule uma parte do grafo',
    ],
    'SIMULATE_BAD_GRAPH/missing': [
      '{place}: the file ends here, but the first line promises {pages?1 page|# pages}, and {missing?1 line is|# lines are} missing; fetch the file again',
      '{place}: o arquivo termina aqui, mas a primeira linha promete {pages?1 página|# páginas}, e {missing?falta 1 linha|faltam # linhas}; baixe o arquivo de novo',
    ],
    'SIMULATE_BAD_GRAPH/extra': [
      '{place}: the first line promises {pages?1 page|# pages}, and all of them have had their line',
      '{place}: a primeira linha promete {pages?1 página|# páginas}, e todas já tiveram a sua linha',
    ],
    'SIMULATE_BAD_GRAPH/pair': [
      '{place}: a line of a list of links has two page numbers: from and to',
      '{place}: uma linha de uma lista de links tem dois números de página: de e para',
    ],
    'SIMULATE_BAD_GRAPH/empty': [
      '{place}: there are no pages in it; name a graph with at least one',
      '{place}: não há páginas nele; indique um grafo com ao menos uma',
    ],
    'SIMULATE_BAD_URLS/count': [
      '{place}: {urls:count} URLs for {pages:count} pages; --urls takes one line per page of the graph',
      '{place}: {urls:count} URLs para {pages:count} páginas; --urls recebe uma linha por página do grafo',
    ],
    'SIMULATE_BAD_URLS/long': [
      '{place}: this line has more than {most:count} bytes; --urls takes one URL per line',
      '{place}: esta linha tem mais de {most:count} bytes; --urls recebe uma URL por linha',
    ],
    SIMULATE_NO_START: [
      'no page has more than {links?1 link|# links} to other pages, so no crawl can start; choose a smaller --start-links or another graph',
      'nenhuma página tem mais de {links?1 link|# links} para outras páginas, então nenhuma coleta pode começar; escolha um --start-links menor ou outro grafo',
    ],
    SIMULATE_THREAD_DIED: [
      'a thread of the simulator died: {why}; simulate fewer pages with -n, or give Node more memory',
      'uma thread do simulador morreu: {why}; simule menos páginas com -n, ou dê mais memória ao Node',
    ],
    'simulate/dropped': [
      'left out: {loops?1 link|# links} of a page to itself, {twice?1 repeated link|# repeated links}; the first at {place}',
      'deixados de fora: {loops?1 link|# links} de uma página para si mesma, {twice?1 link repetido|# links repetidos}; o primeiro em {place}',
    ],
    'simulate/odd-urls': [
      '{urls?1 URL|# URLs} malformed or repeated, the first one at {place}; {urls?its page has|their pages have} a made-up URL',
      '{urls?1 URL malformada ou repetida|# URLs malformadas ou repetidas}, a primeira em {place}; {urls?sua página tem|suas páginas têm} uma URL inventada',
    ],
  }) as const satisfies Readonly<Record<string, readonly [en: string, pt: string]>>
