import { catalogue } from '../../../base/words/language.ts'

/** The messages of a frontier on Redis or Valkey; those about the engine itself are in `engine-words.ts`. */
export const words = catalogue({
  en: {
    strangeReply: 'the engine gave an answer that none of our scripts gives; check that it is Redis 7 or Valkey',
    notOurs: (name: string) => `the engine has something else under the name ${name}; choose another name`,
    otherFormat: (name: string, theirs: number, ours: number) =>
      `the crawl ${name} was made by another version (format ${theirs}, this version reads ${ours}); use the version that made it`,
    otherShards: (name: string, theirs: number, ours: number) =>
      `the crawl ${name} has ${theirs} shards, not ${ours}; leave out ?shards=${ours}, or choose another name`,
    inUse: (where: string, crawlers: number) =>
      `${crawlers} ${crawlers === 1 ? 'crawler works' : 'crawlers work'} on ${where}; stop ${crawlers === 1 ? 'it' : 'them'} first (a killed one counts for 20 s more)`,
    changed: (name: string) => `a crawler has worked on ${name} meanwhile, so the export is not whole; export it again`,
    observer: 'an observer takes no tickets; open the frontier as a crawler',
    replaced:
      'the engine has forgotten this crawl, and another machine has begun one under the same name; start this machine again in another folder',
    badCrawler: 'a crawler needs an id of 1 to 100 letters, digits, - or _',
  },
  pt: {
    strangeReply: 'o servidor deu uma resposta que nenhum dos nossos scripts dá; verifique se é Redis 7 ou Valkey',
    notOurs: name => `o servidor tem outra coisa sob o nome ${name}; escolha outro nome`,
    otherFormat: (name, theirs, ours) =>
      `a coleta ${name} foi feita por outra versão (formato ${theirs}, esta versão lê ${ours}); use a versão que a fez`,
    otherShards: (name, theirs, ours) =>
      `a coleta ${name} tem ${theirs} partes (shards), não ${ours}; tire ?shards=${ours} ou escolha outro nome`,
    inUse: (where, crawlers) =>
      `${crawlers} ${crawlers === 1 ? 'coletor trabalha' : 'coletores trabalham'} em ${where}; pare-${crawlers === 1 ? 'o' : 'os'} antes (um que foi morto conta por mais 20 s)`,
    changed: name => `um coletor trabalhou em ${name} enquanto isso, e a exportação não está inteira; exporte de novo`,
    observer: 'um observador não pega tíquetes; abra a fronteira como coletor',
    replaced:
      'o servidor esqueceu esta coleta, e outra máquina começou uma com o mesmo nome; inicie esta máquina de novo em outra pasta',
    badCrawler: 'um coletor precisa de um id de 1 a 100 letras, dígitos, - ou _',
  },
})
