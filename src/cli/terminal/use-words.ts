import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'

/** An error for wrong arguments; `runCommand` adds which help page has the right ones. */
export function wrongUse(message: string): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', message)
}

/** Messages about wrong arguments that all commands share. */
export const useWords = catalogue({
  en: {
    see: (message: string, help: string) => `${message}${message.endsWith('?') ? ' See' : '; see'} ${help}`,
    noValue: (option: string) => `${option} takes no value`,
    valueMissing: (option: string, value: string) => `${option} takes a value: ${option} ${value}`,
    unknownOption: (option: string) => `there is no option ${option}`,
    noCommandOrFile: (word: string) => `there is no command and no file ${word}`,
    noCommand: (word: string) => `there is no command ${word}`,
    didYouMean: (meant: string | undefined) => (meant === undefined ? '' : `; did you mean ${meant}?`),
    cannotUse: (path: string, reason: string) => `cannot use ${path}: ${reason}`,
    isAddress: (url: string) => `there is no file ${url}; to collect it, write escalona crawl ${url}`,
    contradict: (one: string, other: string) => `${one} and ${other} contradict each other; leave one out`,
    oneAtATime: (what: string, extra: string) => `one ${what} at a time; remove ${extra}`,
    belongsNowhere: (word: string) => `${word} is unexpected here; remove it`,
    noSuchLanguage: (word: string) => `--lang takes en or pt, not ${word}`,
    outputHasNoName: 'the output has no name',
    noFolder: 'no folder given, and there is no crawl in ./crawl; name the folder of a crawl',
    noUrl: 'no URL given; write it after the folder',
    badLimit: (text: string) => `--limit takes a whole number from 1 up, not ${text}`,
    badChoice: (option: string, choices: string, text: string) => `${option} takes one of ${choices}, not ${text}`,
    rowOptions: {
      json: 'one JSON object per line',
      csv: 'comma-separated values, with a header line',
      limit: 'at most N rows',
    },
    redisPassword: ' (a password that the URL lacks is read from ESCALONA_REDIS_PASSWORD)',
    defect: (message: string) => `${message}; this is a bug in Escalona, please report it`,
    cannotWriteOutput: (reason: string) => `cannot write standard output: ${reason}`,
    cannotMake: (path: string, reason: string) => `cannot create ${path}: ${reason}`,
  },
  pt: {
    see: (message, help) => `${message}${message.endsWith('?') ? ' Veja' : '; veja'} ${help}`,
    noValue: option => `${option} não recebe valor`,
    valueMissing: (option, value) => `${option} precisa de um valor: ${option} ${value}`,
    unknownOption: option => `não existe a opção ${option}`,
    noCommandOrFile: word => `não existe comando nem arquivo ${word}`,
    noCommand: word => `não existe o comando ${word}`,
    didYouMean: meant => (meant === undefined ? '' : `; você quis dizer ${meant}?`),
    cannotUse: (path, reason) => `não é possível usar ${path}: ${reason}`,
    isAddress: url => `não existe o arquivo ${url}; para coletar, escreva escalona crawl ${url}`,
    contradict: (one, other) => `${one} e ${other} se contradizem; retire uma das duas`,
    oneAtATime: (what, extra) => `um ${what} por vez; retire ${extra}`,
    belongsNowhere: word => `${word} não é esperado aqui; retire-o`,
    noSuchLanguage: word => `--lang recebe en ou pt, não ${word}`,
    outputHasNoName: 'a saída não tem nome',
    noFolder: 'falta a pasta, e não há coleta em ./crawl; indique a pasta de uma coleta',
    noUrl: 'falta a URL; escreva-a depois da pasta',
    badLimit: text => `--limit recebe um número inteiro a partir de 1, não ${text}`,
    badChoice: (option, choices, text) => `${option} recebe um destes: ${choices}; não ${text}`,
    rowOptions: {
      json: 'um objeto JSON por linha',
      csv: 'valores separados por vírgulas, com uma linha de cabeçalho',
      limit: 'no máximo N linhas',
    },
    redisPassword: ' (uma senha que falte na URL é lida de ESCALONA_REDIS_PASSWORD)',
    defect: message => `${message}; isto é um defeito do Escalona, por favor avise`,
    cannotWriteOutput: reason => `não é possível escrever na saída padrão: ${reason}`,
    cannotMake: (path, reason) => `não é possível criar ${path}: ${reason}`,
  },
})
