import { catalogue } from '../../base/words/language.ts'

/** Messages about wrong arguments that all commands share. */
export const useWords = catalogue({
  en: {
    see: (message: string, help: string) => `${message}${message.endsWith('?') ? ' See' : '; see'} ${help}`,
    noValue: (option: string) => `${option} takes no value`,
    valueMissing: (option: string, value: string) => `${option} takes a value: ${option} ${value}`,
    unknownOption: (option: string, meant: string | undefined) =>
      `there is no option ${option}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    noCommand: (word: string, meant: string) =>
      `there is no command and no file ${word}; did you mean escalona ${meant}?`,
    otherCommand: (option: string, meant: string) => `there is no option ${option}; did you mean escalona ${meant}?`,
    cannotUse: (path: string, reason: string) => `cannot use ${path}: ${reason}`,
    isAddress: (url: string) => `there is no file ${url}; to collect it, write escalona crawl ${url}`,
    noTopic: (word: string, meant: string | undefined) =>
      `there is no command ${word}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    contradict: (one: string, other: string) => `${one} and ${other} contradict each other; leave one out`,
    oneAtATime: (what: string, extra: string) => `one ${what} at a time; remove ${extra}`,
    belongsNowhere: (word: string) => `${word} is unexpected here; remove it`,
    noSuchLanguage: (word: string) => `--lang takes en or pt, not ${word}`,
    outputHasNoName: 'the output has no name',
    redisPassword: ' (a password that the URL lacks is read from ESCALONA_REDIS_PASSWORD)',
    defect: (message: string) => `${message}; this is a bug in Escalona, please report it`,
    cannotWriteOutput: (reason: string) => `cannot write standard output: ${reason}`,
    cannotMake: (path: string, reason: string) => `cannot create ${path}: ${reason}`,
  },
  pt: {
    see: (message, help) => `${message}${message.endsWith('?') ? ' Veja' : '; veja'} ${help}`,
    noValue: option => `${option} não recebe valor`,
    valueMissing: (option, value) => `${option} precisa de um valor: ${option} ${value}`,
    unknownOption: (option, meant) =>
      `não existe a opção ${option}${meant === undefined ? '' : `; você quis dizer ${meant}?`}`,
    noCommand: (word, meant) => `não existe comando nem arquivo ${word}; você quis dizer escalona ${meant}?`,
    otherCommand: (option, meant) => `não existe a opção ${option}; você quis dizer escalona ${meant}?`,
    cannotUse: (path, reason) => `não é possível usar ${path}: ${reason}`,
    isAddress: url => `não existe o arquivo ${url}; para coletar, escreva escalona crawl ${url}`,
    noTopic: (word, meant) => `não existe o comando ${word}${meant === undefined ? '' : `; você quis dizer ${meant}?`}`,
    contradict: (one, other) => `${one} e ${other} se contradizem; retire uma das duas`,
    oneAtATime: (what, extra) => `um ${what} por vez; retire ${extra}`,
    belongsNowhere: word => `${word} não é esperado aqui; retire-o`,
    noSuchLanguage: word => `--lang recebe en ou pt, não ${word}`,
    outputHasNoName: 'a saída não tem nome',
    redisPassword: ' (uma senha que falte na URL é lida de ESCALONA_REDIS_PASSWORD)',
    defect: message => `${message}; isto é um defeito do Escalona, por favor avise`,
    cannotWriteOutput: reason => `não é possível escrever na saída padrão: ${reason}`,
    cannotMake: (path, reason) => `não é possível criar ${path}: ${reason}`,
  },
})
