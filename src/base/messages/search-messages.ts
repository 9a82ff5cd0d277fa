// The search index.
export const searchMessages = () =>
  ({
    SEARCH_DAMAGED: [
      'the search index is damaged; build it again with escalona search DIR --rebuild',
      'o índice de busca está danificado; construa-o de novo com escalona search DIR --rebuild',
    ],
    'SEARCH_BAD_QUERY/no-words': [
      'there is no word to search for; write at least one letter or digit',
      'não há palavra a buscar; escreva pelo menos uma letra ou um algarismo',
    ],
    'SEARCH_BAD_QUERY/too-many-words': [
      'a search takes at most {most} different words; leave some out',
      'uma busca aceita no máximo {most} palavras diferentes; retire algumas',
    ],
    'SEARCH_BAD_QUERY/date': [
      '{text} is not a date; write it as 2026-01-31 or 2026-01-31T12:00Z',
      '{text} não é uma data; escreva 2026-01-31 ou 2026-01-31T12:00Z',
    ],
    SEARCH_THREAD_DIED: [
      'a thread of the indexer died: {why}; start again, and it continues where it was',
      'uma thread do indexador morreu: {why}; comece de novo, e ele continua de onde estava',
    ],
    SEARCH_ABORTED: [
      'indexing was interrupted; start again, and it continues where it was',
      'a indexação foi interrompida; comece de novo, e ela continua de onde estava',
    ],
    SEARCH_NO_PAGES_FILE: [
      '{path} is missing, which lists the archived pages; put a copy back',
      'falta {path}, que lista as páginas arquivadas; ponha uma cópia de volta',
    ],
    SEARCH_BAD_LINE: [
      '{path} is damaged at byte {offset}: this is not a line; put a good copy in its place',
      '{path} está danificado no byte {offset}: isto não é uma linha; ponha uma cópia boa no lugar',
    ],
    SEARCH_UNWRITABLE: [
      'cannot write the search index in {folder}: {why}; make the folder writable, or search a copy of the crawl',
      'não foi possível gravar o índice de busca em {folder}: {why}; permita a escrita na pasta, ou busque numa cópia da coleta',
    ],
    SEARCH_LOCKED: [
      'another process is indexing: {folder} is in use by {who}; search again when it has ended',
      'outro processo está indexando: {folder} está em uso por {who}; busque de novo quando ele terminar',
    ],
  }) as const
