import { catalogue } from '../base/words/language.ts'
import { shownCount } from '../base/words/quantity.ts'

/** Errors in an access log. Texts from outside are printable already. */
export const words = catalogue({
  en: {
    endless: 'the line does not end',
    empty: 'it is empty; record one with escalona FILE -l access.log',
    notALog: 'an access log begins with I; record one with escalona FILE -l access.log',
    afterEnd: 'there is more after the line F',
    secondLog: 'I again: these are two logs',
    badLetter: (line: string) => `a line begins with L, E or F, not with ${line}`,
    noPhase: (phase: number) => `there is no phase ${phase}`,
    noId: (id: number) => `there is no id ${id}`,
    fewFields: (fields: number, wanted: number) => `it has ${fields} fields instead of ${wanted}`,
    manyFields: (wanted: number) => `it has more than ${wanted} fields`,
    damagedField: (field: number) => `field ${field} is damaged`,
    notANumber: (field: number) => `field ${field} is not a number`,
    tooLarge: (field: number) => `field ${field} is too large`,
    tooManyStacks: (most: number) =>
      `the log has more than ${shownCount(most)} pairs of phase and id; record fewer structures`,
  },
  pt: {
    endless: 'a linha não termina',
    empty: 'está vazio; grave um com escalona ARQUIVO -l access.log',
    notALog: 'um registro de acessos começa com I; grave um com escalona ARQUIVO -l access.log',
    afterEnd: 'há mais linhas depois da linha F',
    secondLog: 'I de novo: são dois registros',
    badLetter: line => `uma linha começa com L, E ou F, não com ${line}`,
    noPhase: phase => `não existe a fase ${phase}`,
    noId: id => `não existe o id ${id}`,
    fewFields: (fields, wanted) => `tem ${fields} campos em vez de ${wanted}`,
    manyFields: wanted => `tem mais de ${wanted} campos`,
    damagedField: field => `o campo ${field} está danificado`,
    notANumber: field => `o campo ${field} não é um número`,
    tooLarge: field => `o campo ${field} é grande demais`,
    tooManyStacks: most => `o registro tem mais de ${shownCount(most)} pares de fase e id; registre menos estruturas`,
  },
})
