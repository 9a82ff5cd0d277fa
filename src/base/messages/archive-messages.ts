export const archiveMessages = () =>
  ({
    ARCHIVE_STOPPED: [
      'the archive has stopped: {why}; nothing that was synced is lost, start again after that',
      'o acervo parou: {why}; nada do que foi sincronizado se perdeu, inicie de novo depois disso',
    ],
    'archive/or-move-away': ['move it away', 'mova-o para outro lugar'],
    ARCHIVE_DAMAGED: [
      '{path} is damaged at byte {offset}: {what}; put a good copy in its place, or {orElse}',
      '{path} está danificado no byte {offset}: {what}; ponha uma cópia boa no lugar, ou {orElse}',
    ],
    EXTRACT_NO_KERNEL: [
      'simhash.wasm is missing beside the code of escalona; a bundler has to leave the package out: esbuild --external:escalona',
      'falta simhash.wasm ao lado do código do escalona; um empacotador deve deixar o pacote de fora: esbuild --external:escalona',
    ],
    ARCHIVE_NO_KERNEL: [
      'deflate.wasm is missing beside the code of escalona; a bundler has to leave the package out: esbuild --external:escalona',
      'falta deflate.wasm ao lado do código do escalona; um empacotador deve deixar o pacote de fora: esbuild --external:escalona',
    ],
    'archive/index-goes-further': [
      'the file ends there, and its part of the index goes on to byte {end} at least',
      'o arquivo termina ali, e sua parte do índice vai pelo menos até o byte {end}',
    ],
    ARCHIVE_INDEX_UNWRITTEN: [
      'cannot write {path}: {why}; the archive itself is whole',
      'não foi possível escrever {path}: {why}; o acervo em si está inteiro',
    ],
    ARCHIVE_UNUSABLE: [
      'cannot open the archive in {folder}: {why}',
      'não foi possível abrir o acervo em {folder}: {why}',
    ],
    'archive/there-twice': ['it is there twice, once as .open', 'ele existe duas vezes, uma delas como .open'],
    'archive/missing-file': [
      '{first} is not in {folder} any more; the index keeps its lines',
      '{first} não está mais em {folder}; o índice mantém suas linhas',
    ],
    'archive/missing-files': [
      '{files} files, {first} the first of them, are not in {folder} any more; the index keeps their lines',
      '{files} arquivos, o primeiro deles {first}, não estão mais em {folder}; o índice mantém suas linhas',
    ],
    'archive/cut-tail': [
      '{path}: cut off {bytes} bytes that had not been synced',
      '{path}: cortados {bytes} bytes que não haviam sido sincronizados',
    ],
    'archive/cut-lines': [
      '{path}: cut off {bytes} bytes of lines that had not been synced',
      '{path}: cortados {bytes} bytes de linhas que não haviam sido sincronizadas',
    ],
    'archive/pages-gone': [
      '{path} is gone; it begins again with the newest pages',
      '{path} não existe mais; recomeça com as páginas mais novas',
    ],
    'archive/not-synced-whole': [
      'it was synced up to byte {bytes}, and is not whole up to there',
      'foi sincronizado até o byte {bytes}, e não está inteiro até ali',
    ],
    'archive/not-as-synced': [
      'its first {bytes} bytes are not those that were synced: their checksum is wrong',
      'seus primeiros {bytes} bytes não são os que foram sincronizados: a soma de verificação está errada',
    ],
    'archive/or-accept': [
      'remove {mark} beside it to use it as it is',
      'remova {mark}, ao lado dele, para usá-lo como está',
    ],
    'archive/or-remove-mark': [
      'remove {mark} beside it to have it cut there',
      'remova {mark}, ao lado dele, para que seja cortado ali',
    ],
    'archive/no-line': ['this is no line', 'isto não é uma linha'],
    'archive/no-line-older': [
      'this is no line, and older lines follow',
      'isto não é uma linha, e linhas mais antigas vêm depois',
    ],
    'archive/zeros': ['there are zeros, as a disk may leave them', 'há zeros, como um disco pode deixar'],
    'archive/line-without-end': ['a line has no end', 'uma linha não tem fim'],
    ARCHIVE_PAGES_STOPPED: [
      'cannot use {path}: {why}; nothing that was synced is lost',
      'não foi possível usar {path}: {why}; nada do que foi sincronizado se perdeu',
    ],
    'archive/file-ends': ['the file ends here', 'o arquivo termina aqui'],
    'archive/no-record': ['this is no record', 'isto não é um registro'],
    'archive/no-warc-record': ['this is no WARC record', 'isto não é um registro WARC'],
    ARCHIVE_UNREADABLE: ['cannot read {path}: {why}', 'não foi possível ler {path}: {why}'],
    ARCHIVE_RECORD_TOO_LARGE: [
      'a record of {bytes} bytes is more than an archive takes; set a smaller --max-body',
      'um registro de {bytes} bytes é mais do que o acervo aceita; use um --max-body menor',
    ],
    'archive/file-ends-early': ['the file ends here, and it was longer', 'o arquivo termina aqui, e era mais longo'],
    'archive/file-ends-inside': ['the file ends in this record', 'o arquivo termina dentro deste registro'],
    'archive/out-of-place': ['a {type} record is out of place', 'um registro {type} está fora do lugar'],
    'archive/foreign-request': ['a request belongs to another response', 'uma requisição pertence a outra resposta'],
    'EXPORT_BAD_OPTIONS/unknown': [
      '{option} takes one of {choices:list}',
      '{option} recebe um destes valores: {choices:list}',
    ],
    'EXPORT_BAD_OPTIONS/only-pages': [
      'the format wet has the text of pages; leave the table out, or choose another format',
      'o formato wet tem o texto das páginas; retire a tabela, ou escolha outro formato',
    ],
    'EXPORT_BAD_OPTIONS/no-text-in': [
      'the table {table} has no text; leave the text out, or choose the table pages',
      'a tabela {table} não tem texto; retire o texto, ou escolha a tabela pages',
    ],
    'EXPORT_BAD_OPTIONS/bad-workers': [
      'workers takes a whole number from 1 to {most}',
      'workers recebe um número inteiro de 1 a {most}',
    ],
    'ARCHIVE_UNREADABLE/no-pages-file': [
      '{path} is missing, which lists the archived pages; put a copy back, or let escalona resume {folder} list those of the newest WARC file again',
      'falta {path}, que lista as páginas arquivadas; ponha uma cópia de volta, ou deixe escalona resume {folder} listar de novo as do arquivo WARC mais novo',
    ],
    'export/no-line': [
      '{path} is damaged at byte {offset}: this is no line; put a good copy in its place',
      '{path} está danificado no byte {offset}: isto não é uma linha; ponha uma cópia boa no lugar',
    ],
    EXPORT_ABORTED: ['the export was aborted; start it again', 'a exportação foi abortada; comece de novo'],
    EXPORT_THREAD_DIED: [
      'a thread of the export died: {why}; try again with fewer workers',
      'uma thread da exportação morreu: {why}; tente de novo com menos workers',
    ],
    AUDIT_NO_FILES: [
      'there is no WARC file in {path} (.warc or .warc.gz); name the files, or another folder',
      'não há arquivo WARC em {path} (.warc ou .warc.gz); indique os arquivos, ou outra pasta',
    ],
    AUDIT_NO_RECORDS: [
      '{path} has no WARC record; name files that a crawler wrote as .warc or .warc.gz',
      '{path} não tem registro WARC; indique arquivos que um coletor escreveu como .warc ou .warc.gz',
    ],
    'AUDIT_TOO_MUCH/requests': [
      'there are more than {most:count} requests; audit fewer files at a time, or fewer hosts with --host',
      'há mais de {most:count} requisições; audite menos arquivos de cada vez, ou menos hosts com --host',
    ],
    'AUDIT_TOO_MUCH/hosts': [
      'there are more than {most:count} hosts; audit fewer files at a time, or fewer hosts with --host',
      'há mais de {most:count} hosts; audite menos arquivos de cada vez, ou menos hosts com --host',
    ],
    'audit/not-a-file': ['it is not a file or folder', 'não é um arquivo nem uma pasta'],
    'WACZ_NOTHING/running': [
      '{path} has no finished WARC file yet; stop the crawl, or wait until it has archived 1,000 pages',
      '{path} ainda não tem arquivo WARC pronto; pare a coleta, ou espere até que ela tenha arquivado 1.000 páginas',
    ],
    'WACZ_NOTHING/interrupted': [
      '{path} has no finished WARC file, only one that was interrupted; escalona resume {path} finishes it',
      '{path} não tem arquivo WARC pronto, só um que foi interrompido; escalona resume {path} o termina',
    ],
    'WACZ_NOTHING/empty': [
      'nothing is archived in {path}, so there is nothing to pack; escalona status {path} says what became of its links',
      'nada está arquivado em {path}, então não há o que empacotar; escalona status {path} diz o que foi feito dos links',
    ],
    'WACZ_NOTHING/moved': [
      'the only WARC file of {path} was moved away; put it back into its folder archive',
      'o único arquivo WARC de {path} foi levado para outro lugar; ponha-o de volta na pasta archive',
    ],
    'WACZ_NOTHING/all-moved': [
      'all {count:count} WARC files of {path} were moved away; put them back into its folder archive',
      'todos os {count:count} arquivos WARC de {path} foram levados para outro lugar; ponha-os de volta na pasta archive',
    ],
  }) as const
