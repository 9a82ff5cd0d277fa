export const viewMessages = () =>
  ({
    CRAWL_READER_CLOSED: [
      'this reader is closed; open the crawl again with openCrawl',
      'este leitor está fechado; abra a coleta de novo com openCrawl',
    ],
    CRAWL_CLOSING: [
      'the crawl in {path} does not answer: it is opening or closing its files, or its process was suspended; try again in a moment',
      'a coleta em {path} não responde: está abrindo ou fechando os arquivos, ou seu processo foi suspenso; tente de novo em instantes',
    ],
    PAGE_BAD_SELECTOR: [
      '{selector} is not a CSS selector ({why}); correct it',
      '{selector} não é um seletor CSS ({why}); corrija-o',
    ],
    CRAWL_BAD_URL: [
      '{text} is not a web address that a crawl could know ({why}); write https://host/path',
      '{text} não é um endereço da web que uma coleta possa conhecer ({why}); escreva https://host/caminho',
    ],
    'CRAWL_BAD_OPTIONS/no-text': [
      'openCrawl takes the path of a folder; give it as a string',
      'openCrawl recebe o caminho de uma pasta; dê-o como texto',
    ],
    'CRAWL_NOT_FOUND/no-folder': [
      'there is no folder {path}; name the folder of a crawl',
      'não existe a pasta {path}; indique a pasta de uma coleta',
    ],
    'CRAWL_NOT_FOUND/no-crawl': [
      '{path} is not the folder of a crawl; name the folder that a crawl was written to',
      '{path} não é a pasta de uma coleta; indique a pasta em que uma coleta foi gravada',
    ],
    CRAWL_NOT_RUNNING: [
      'the crawl in {path} is not running; continue it with: escalona resume {path}',
      'a coleta em {path} não está em execução; continue-a com: escalona resume {path}',
    ],
    'CRAWL_NOT_FOUND/not-begun': [
      '{path} has no frontier: the start of its crawl was interrupted, or the folder frontier was removed; run the crawl command again, or restore a copy, or make it again from the archive: escalona resume {path} --rebuild',
      '{path} não tem fronteira: o início da coleta foi interrompido, ou a pasta frontier foi removida; execute de novo o comando crawl, ou restaure uma cópia, ou refaça-a a partir do acervo: escalona resume {path} --rebuild',
    ],
    CRAWL_PAGE_MISSING: [
      'the page {url} cannot be read from archive/{file}: {why}; if the file was moved, move it back',
      'não é possível ler a página {url} em archive/{file}: {why}; se o arquivo foi movido, ponha-o de volta',
    ],
    'view/other': ['another page is at its place', 'há outra página no lugar dela'],
    'FRONTIER_NOT_EMPTY/folder': [
      '{path} is not empty; import into a new or empty folder',
      '{path} não está vazia; importe para uma pasta nova ou vazia',
    ],
    'CRAWL_NOT_FOUND/no-report': [
      '{path} is a frontier without a crawl, so there is nothing to report; see stats',
      '{path} é uma fronteira sem coleta, e não há o que relatar; veja stats',
    ],
    'CRAWL_OTHER_FRONTIER/elsewhere': [
      'the frontier of the crawl in {path} is {where}; name that instead',
      'a fronteira da coleta em {path} é {where}; indique essa',
    ],
    'FRONTIER_MISSING/place': [
      '{path} holds no frontier; name the folder of a crawl or of a frontier, or redis://HOST:PORT/NAME',
      '{path} não contém uma fronteira; indique a pasta de uma coleta ou de uma fronteira, ou redis://HOST:PORTA/NOME',
    ],
    'FRONTIER_MISSING/no-name': [
      'there is no crawl at {where}; check the name',
      'não há coleta em {where}; confira o nome',
    ],
    RUN_BAD_QUESTION: [
      'the running crawl does not understand this question; use the same version of Escalona',
      'a coleta em execução não entende esta pergunta; use a mesma versão do Escalona',
    ],
    RUN_FAILED: [
      'the running crawl could not answer: {reason}; try again',
      'a coleta em execução não conseguiu responder: {reason}; tente de novo',
    ],
    RUN_GONE: [
      'the running crawl has stopped answering; try again',
      'a coleta em execução parou de responder; tente de novo',
    ],
    'view/no-socket': [
      'cannot create a socket for commands such as escalona status, which read the files instead: {reason}',
      'não é possível criar um socket para comandos como escalona status, que leem os arquivos em vez disso: {reason}',
    ],
  }) as const
