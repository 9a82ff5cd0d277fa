import { catalogue } from '../base/words/language.ts'

/** What is wrong with a line of a command file, and what to do about it. */
export const words = catalogue({
  en: {
    needs: (name: string, missing: string, example: string) => `${name} needs ${missing}; write ${example}`,
    takesNothing: (name: string, extra: string) => `${name} takes nothing; remove ${extra}`,
    takesOnly: (name: string, wanted: string, extra: string) => `${name} takes only ${wanted}; remove ${extra}`,
    notANumber: (word: string, example: string) => `${word} is not a whole number from 0 up; write ${example}`,
    unknownCommand: (word: string, names: string) => `unknown command ${word}; the commands are ${names}`,
    didYouMean: (word: string, name: string) => `unknown command ${word}; did you mean ${name}?`,
    cutOff: (urls: number) =>
      `ADD_URLS is cut off: the file ends after ${urls === 1 ? '1 URL' : `${urls} URLs`}; correct the number`,
    swallowed: (name: string) =>
      `ADD_URLS took this ${name} as one of its URLs and refused it; is the number behind ADD_URLS too large?`,
    withUrls: (message: string, urls: number) =>
      `${message} ${urls === 1 ? 'The URL after it is' : `The ${urls} URLs after it are`} skipped with it`,
    threadLost: (why: string) => `the thread that reads the file ended (${why}); run the command again`,
  },
  pt: {
    needs: (name, missing, example) => `${name} precisa de ${missing}; escreva ${example}`,
    takesNothing: (name, extra) => `${name} não recebe nada; retire ${extra}`,
    takesOnly: (name, wanted, extra) => `${name} recebe apenas ${wanted}; retire ${extra}`,
    notANumber: (word, example) => `${word} não é um número inteiro a partir de 0; escreva ${example}`,
    unknownCommand: (word, names) => `comando desconhecido ${word}; os comandos são ${names}`,
    didYouMean: (word, name) => `comando desconhecido ${word}; você quis dizer ${name}?`,
    cutOff: urls =>
      `ADD_URLS está incompleto: o arquivo termina depois de ${urls === 1 ? '1 URL' : `${urls} URLs`}; corrija o número`,
    swallowed: name =>
      `ADD_URLS leu este ${name} como uma das suas URLs e o recusou; o número depois de ADD_URLS é grande demais?`,
    withUrls: (message, urls) =>
      `${message} ${urls === 1 ? 'A URL seguinte foi pulada' : `As ${urls} URLs seguintes foram puladas`} com ele`,
    threadLost: why => `a thread que lê o arquivo terminou (${why}); execute o comando de novo`,
  },
})
