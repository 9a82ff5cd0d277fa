export const frontierMessages = () =>
  ({
    'FRONTIER_BAD_LINK/no-host': [
      '{url} has no host; offer scheme://host/…',
      '{url} não tem host; ofereça esquema://host/…',
    ],
    'FRONTIER_BAD_LINK/url-too-long': [
      '{url} is too long; offer at most 65,535 bytes',
      '{url} é longo demais; ofereça no máximo 65.535 bytes',
    ],
    'FRONTIER_BAD_LINK/rank': [
      '{url} has an invalid rank; give a whole number from 0 to 255',
      '{url} tem um rank inválido; informe um número inteiro de 0 a 255',
    ],
    'FRONTIER_BAD_LINK/hops': [
      '{url} has invalid hops; give a whole number from 0 to 2^31 - 1',
      '{url} tem hops inválidos; informe um número inteiro de 0 a 2^31 - 1',
    ],
    'FRONTIER_BAD_LINK/gives': [
      '{url} gives an invalid importance; give a number from 0',
      '{url} dá uma importância inválida; informe um número a partir de 0',
    ],
    'FRONTIER_BAD_LINK/unknown-kind': [
      '{url} has an unknown kind; give page, robots or sitemap',
      '{url} é de um tipo desconhecido; use page, robots ou sitemap',
    ],
    'FRONTIER_BAD_LINK/refused-without-reason': [
      '{url} is refused without a reason; give one of at most 200 bytes',
      '{url} é recusado sem motivo; informe um motivo de no máximo 200 bytes',
    ],
    'FRONTIER_BAD_LINK/refused-auxiliary': [
      '{url} is not a page; only pages can be refused',
      '{url} não é uma página; só páginas podem ser recusadas',
    ],
    'FRONTIER_BAD_LINK/note': [
      '{url} has an invalid note; give at most 4,096 bytes',
      '{url} tem uma nota inválida; use no máximo 4.096 bytes',
    ],
    FRONTIER_BAD_SETTLEMENT: [
      'the settlement of ticket {ticket} is not valid: {what}',
      'o encerramento do tíquete {ticket} não é válido: {what}',
    ],
    'frontier/say-outcome': [
      'outcome.kind must be done, refused or again',
      'outcome.kind deve ser done, refused ou again',
    ],
    'frontier/say-is-page': ['outcome.isPage must be true or false', 'outcome.isPage deve ser true ou false'],
    'frontier/give-reason': ['give a reason of at most 200 bytes', 'informe um motivo de no máximo 200 bytes'],
    'frontier/give-again': [
      'a next visit needs afterMs and gain, both 0 or more, and a note of at most 4,096 bytes or none',
      'uma próxima visita precisa de afterMs e gain, ambos 0 ou mais, e de uma nota de até 4.096 bytes ou nenhuma',
    ],
    'frontier/say-shown': [
      'shown must be answer, trouble, silence, gone or undefined',
      'shown deve ser answer, trouble, silence, gone ou undefined',
    ],
    'frontier/refuse-gone': [
      'with shown: gone, the outcome must be refused',
      'com shown: gone, o resultado deve ser refused',
    ],
    'frontier/give-delay': ['delayMs must be 0 or more', 'delayMs deve ser 0 ou mais'],
    'FRONTIER_BAD_VALUE/give-again': [
      'a next visit needs afterMs and gain, both 0 or more, and a note of at most 4,096 bytes or none',
      'uma próxima visita precisa de afterMs e gain, ambos 0 ou mais, e de uma nota de até 4.096 bytes ou nenhuma',
    ],
    'FRONTIER_BAD_VALUE/give-least': ['leastMs must be 0 or more', 'leastMs deve ser 0 ou mais'],
    'FRONTIER_BAD_VALUE/bad-name': [
      'a name is empty or too long; give one of at most 65,535 bytes',
      'um nome está vazio ou é longo demais; use no máximo 65.535 bytes',
    ],
    'FRONTIER_BAD_VALUE/bad-duration': [
      '{ms} is not a duration; give milliseconds from 0',
      '{ms} não é uma duração; informe milissegundos a partir de 0',
    ],
    'FRONTIER_BAD_VALUE/bad-time': [
      '{ms} is not a time; give milliseconds since 1970',
      '{ms} não é um horário; informe milissegundos desde 1970',
    ],
    'FRONTIER_BAD_VALUE/bad-most': [
      'cannot take {max} tickets; give a number',
      'não é possível pegar {max} tíquetes; informe um número',
    ],
    'FRONTIER_BAD_VALUE/bad-limit': ['ask for 1 to 10,000 items', 'peça de 1 a 10.000 itens'],
    'FRONTIER_BAD_VALUE/bad-cursor': [
      'the cursor is invalid; pass what the page before returned as next',
      'o cursor é inválido; passe o que a página anterior devolveu em next',
    ],
    FRONTIER_CLOSED: ['the frontier is closed; open it again', 'a fronteira está fechada; abra-a de novo'],
    'FRONTIER_BAD_VALUE/bad-filter': [
      'only links that are waiting or refused can be listed',
      'só é possível listar links à espera (waiting) ou recusados (refused)',
    ],
    'frontier/true-or-false': ['true or false', 'true ou false'],
    'frontier/one-of': ['one of {names:list}', 'um destes: {names:list}'],
    'frontier/from-zero-to-one': ['from 0 to 1', 'de 0 a 1'],
    'frontier/more-than-zero': ['more than 0', 'maior que 0'],
    'frontier/milliseconds': ['a number of milliseconds', 'um número de milissegundos'],
    'frontier/one-or-more': ['1 or more', '1 ou mais'],
    'frontier/a-number': ['a number', 'um número'],
    'frontier/a-number-from-zero': ['a number from 0', 'um número a partir de 0'],
    FRONTIER_BAD_OPTION: [
      'the option {name} is out of range; it must be {wanted}',
      'a opção {name} está fora do intervalo; deve ser {wanted}',
    ],
    DUMP_FOLDER_TAKEN: [
      '{path} is not empty; name a new or empty folder for the export',
      '{path} não está vazia; indique uma pasta nova ou vazia para a exportação',
    ],
    'FILE_UNWRITABLE/export': [
      'cannot write the export to {path}: {why}; fix that, or choose another folder',
      'não é possível gravar a exportação em {path}: {why}; corrija isso, ou escolha outra pasta',
    ],
    'dump/file-missing': ['the file is missing', 'o arquivo não existe'],
    'dump/wrong-checksum': ['the checksum is wrong', 'a soma de verificação está errada'],
    DUMP_MISSING: [
      '{path} holds no finished export; name a folder that export has written',
      '{path} não contém uma exportação terminada; indique uma pasta gravada por export',
    ],
    DUMP_OTHER_FORMAT: [
      '{path} is an export of format {found}, and this version of Escalona reads format {known}; use the version that wrote it',
      '{path} é uma exportação do formato {found}, e esta versão do Escalona lê o formato {known}; use a versão que a gravou',
    ],
    'dump/wrong-record': ['record {line} is not one of an export', 'o registro {line} não é de uma exportação'],
    'FILE_UNREADABLE/export': [
      'cannot read {path}: {why}; fix that, and try again',
      'não é possível ler {path}: {why}; corrija isso e tente de novo',
    ],
    'dump/line-too-long': ['a line is too long', 'uma linha é longa demais'],
    FRONTIER_UNFINISHED: [
      'an import into {where} has not finished; wait for it, or, if it was interrupted, remove what it left with clear --yes and import again',
      'uma importação em {where} não terminou; espere por ela ou, se foi interrompida, remova o que ela deixou com clear --yes e importe de novo',
    ],
    FRONTIER_NOT_EMPTY: [
      '{where} is not empty; import into a new or empty place, or clear it first',
      '{where} não está vazia; importe para um lugar novo ou vazio, ou esvazie-a antes com clear',
    ],
    DUMP_DAMAGED: [
      '{path} is damaged: {what}; restore it from a copy, or export again',
      '{path} está danificado: {what}; restaure-o de uma cópia, ou exporte de novo',
    ],
    'dump/wrong-order': ['a record is out of place', 'um registro está fora de lugar'],
    'dump/wrong-count': [
      'it does not hold as many links, hosts or auxiliary links as it should',
      'não contém tantos links, hosts ou links auxiliares quanto deveria',
    ],
    'dump/no-host-of': ['it holds links of a part without hosts', 'contém links de uma parte sem hosts'],
    DUMP_OTHER_SHARDS: [
      'this export tells the hosts of done links apart only by {parts} shards, so it cannot be imported into {shards}; use ?shards={parts}, or a divisor of that',
      'esta exportação distingue os hosts de links prontos só por {parts} partes (shards) e não pode ser importada em {shards}; use ?shards={parts}, ou um divisor desse número',
    ],
    'local/clock-went-back': [
      'the clock is {by:duration} behind the clock of the last run; all times were moved back by the difference',
      'o relógio está atrasado {by:duration} em relação ao da última execução; todos os horários foram recuados por essa diferença',
    ],
    'FRONTIER_UNUSABLE/cannot-open': [
      'cannot open the frontier in {folder}: {why}; fix that, or choose another folder',
      'não foi possível abrir a fronteira em {folder}: {why}; corrija isso ou escolha outra pasta',
    ],
    'FRONTIER_MISSING/no-frontier': [
      'there is no frontier in {folder}; give the folder of a crawl',
      'não há fronteira em {folder}; indique a pasta de uma coleta',
    ],
    'FRONTIER_UNUSABLE/cannot-read': [
      'cannot read the frontier in {folder}: {why}; try again',
      'não foi possível ler a fronteira em {folder}: {why}; tente de novo',
    ],
    'local/file-missing': ['the file is missing', 'o arquivo não existe'],
    'local/acknowledged-missing': [
      'less is left than was acknowledged, which is {bytes} bytes',
      'resta menos do que foi confirmado, que são {bytes} bytes',
    ],
    'local/not-a-journal': ['it is not a journal', 'não é um diário'],
    'local/wrong-checksum': ['the checksum is wrong', 'a soma de verificação está errada'],
    'local/end-missing': ['the end is missing', 'falta o fim'],
    'local/header-written': [
      '{path}: the header was cut off; it was written again',
      '{path}: o cabeçalho estava cortado; foi escrito de novo',
    ],
    'local/tail-cut-off': [
      '{path}: {bytes} bytes of a torn tail were cut off at {at}',
      '{path}: {bytes} bytes de um fim incompleto foram cortados na posição {at}',
    ],
    FRONTIER_STOPPED: [
      'the frontier has stopped: {why}; nothing acknowledged is lost; open it again once that is fixed',
      'a fronteira parou: {why}; nada do que foi confirmado se perdeu; abra-a de novo depois de corrigir isso',
    ],
    'local/link-differs': ['a link is not what was offered', 'um link não é o que foi oferecido'],
    'local/another-frontier': ['this is the frontier of another crawl', 'esta é a fronteira de outra coleta'],
    'INDEX_FULL/alike': [
      'more fingerprints begin alike than chance allows; make the frontier again from what was crawled, or an older export',
      'mais impressões digitais começam iguais do que o acaso permite; refaça a fronteira a partir do que foi coletado ou de uma exportação anterior',
    ],
    FRONTIER_DAMAGED: [
      '{path} is damaged at {at}: {what}; restore it from a copy',
      '{path} está danificado na posição {at}: {what}; restaure-o de uma cópia',
    ],
    FRONTIER_OTHER_FORMAT: [
      '{path} has format {format}, and this version of Escalona reads format {ours}; nothing was changed; use the version that wrote it',
      '{path} tem o formato {format}, e esta versão do Escalona lê o formato {ours}; nada foi alterado; use a versão que o escreveu',
    ],
    'local/not-a-snapshot': ['it is not a snapshot', 'não é um snapshot'],
    'local/newer-version': ['it was written by a newer version', 'foi escrito por uma versão mais nova'],
    'local/too-short': ['it is too short', 'é curto demais'],
    'local/link-twice': ['a link was added twice', 'um link foi acrescentado duas vezes'],
    'local/auxiliary-differs': [
      'an auxiliary link is not what was offered',
      'um link auxiliar não é o que foi oferecido',
    ],
    'local/misfit': ['it does not follow from what came before', 'não condiz com o que veio antes'],
  }) as const
