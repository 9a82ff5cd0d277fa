import { catalogue } from '../base/words/language.ts'

export const words = catalogue({
  en: {
    badStrategy: (name: string, names: string) => `there is no strategy ${name}; choose ${names}`,
    badUrl: 'a URL is a string or bytes; give url.href of a URL object',
    changed: 'the scheduler changed while urls() was being read; copy the list first, with [...urls(host)]',
    badLimit: (max: number) => `${max} URLs cannot be scheduled; give a number from 0 up`,
    full: 'the waiting URLs fill 4 GiB; schedule some before you add more',
    noMemory: 'the system has no more memory for waiting URLs; schedule some before you add more',
  },
  pt: {
    badStrategy: (name, names) => `não existe a estratégia ${name}; escolha ${names}`,
    badUrl: 'uma URL é um texto ou bytes; de um objeto URL, passe url.href',
    changed: 'o escalonador mudou enquanto urls() era lido; copie a lista antes, com [...urls(host)]',
    badLimit: max => `não é possível escalonar ${max} URLs; dê um número a partir de 0`,
    full: 'as URLs em espera ocupam 4 GiB; escalone algumas antes de acrescentar outras',
    noMemory: 'o sistema não tem mais memória para URLs em espera; escalone algumas antes de acrescentar outras',
  },
})
