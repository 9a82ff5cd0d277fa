// Files, folders and what the operating system says about them.
const LOST = [
  'another process has taken over {folder}; this one stops and has written nothing since. Start it again when the other has ended',
  'outro processo assumiu {folder}; este para, e não escreveu nada desde então. Inicie de novo quando o outro terminar',
] as const
const LOCKED = [
  '{folder} is in use by {who}; wait for it to end, or choose another folder',
  '{folder} está em uso por {who}; espere que termine ou escolha outra pasta',
] as const

export const fileMessages = () =>
  ({
    // What an edge has said itself.
    'edge/text': ['{text:text}', '{text:text}'],
    'file/standard-input': ['standard input', 'a entrada padrão'],
    FILE_UNREADABLE: ['cannot read {name}: {why}', 'não foi possível ler {name}: {why}'],
    FOLDER_LOST: LOST,
    FRONTIER_LOST: LOST,
    CRAWL_LOST: LOST,
    SEARCH_LOST: LOST,
    'file/waiting-for-unseen': [
      "{folder} is held by a process that can't be seen from here; waiting {seconds} s to find out whether it still runs",
      '{folder} está com um processo que não pode ser visto daqui; esperando {seconds} s para saber se ele ainda executa',
    ],
    'file/another-process': ['another process', 'outro processo'],
    'file/process-on': ['process {pid} on {host}', 'o processo {pid} em {host}'],
    FOLDER_LOCKED: LOCKED,
    FRONTIER_LOCKED: LOCKED,
    CRAWL_LOCKED: LOCKED,
    FILE_READER_GONE: ['nobody reads the output any more', 'ninguém mais lê a saída'],
    'file/standard-output': ['standard output', 'a saída padrão'],
    FILE_UNWRITABLE: ['cannot write {name}: {why}', 'não foi possível escrever {name}: {why}'],
    INDEX_FULL: [
      'an index has more than 680 million entries; divide the work among several crawls',
      'um índice tem mais de 680 milhões de entradas; divida o trabalho entre várias coletas',
    ],
    'system/EEXIST': [
      'something else of that name is there; choose another name',
      'já existe outra coisa com esse nome; escolha outro nome',
    ],
    'system/ENOENT': [
      'there is no such file or folder; check the path',
      'esse arquivo ou pasta não existe; confira o caminho',
    ],
    'system/EISDIR': ['it is a folder; name a file', 'é uma pasta; indique um arquivo'],
    'system/ENOTDIR': [
      'a part of the path is not a folder; check the path',
      'uma parte do caminho não é uma pasta; confira o caminho',
    ],
    'system/EACCES': ['permission denied; check who may use it', 'permissão negada; confira quem pode usá-lo'],
    'system/EPERM': ['permission denied; check who may use it', 'permissão negada; confira quem pode usá-lo'],
    'system/EROFS': [
      'the disk is read-only; choose another place',
      'o disco é somente de leitura; escolha outro lugar',
    ],
    'system/ENOSPC': [
      'the disk is full; make room or choose another place',
      'o disco está cheio; libere espaço ou escolha outro lugar',
    ],
    'system/EDQUOT': [
      'the disk quota is used up; make room or choose another place',
      'a cota de disco acabou; libere espaço ou escolha outro lugar',
    ],
    'system/EFBIG': [
      'the file would grow larger than is allowed; choose another place',
      'o arquivo ficaria maior do que o permitido; escolha outro lugar',
    ],
    'system/EMFILE': [
      'too many open files; raise the limit with ulimit -n',
      'há arquivos abertos demais; aumente o limite com ulimit -n',
    ],
    'system/ENAMETOOLONG': [
      'the name is too long; choose a shorter one',
      'o nome é longo demais; escolha um mais curto',
    ],
    'system/ELOOP': [
      'its symbolic links run in a circle; check the path',
      'os links simbólicos formam um ciclo; confira o caminho',
    ],
  }) as const
