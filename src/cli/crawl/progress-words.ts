import { catalogue } from '../../base/words/language.ts'

/** The words of the progress line. */
export const progressWords = catalogue({
  en: {
    pages: (count: string, isOne: boolean) => `${count} ${isOne ? 'page' : 'pages'}`,
    pagesOf: (count: string, limit: string) => `${count} of ${limit} pages`,
    machines: (count: string, isOne: boolean) => `${count} ${isOne ? 'machine' : 'machines'}`,
    pagesPerSecond: (rate: string) => `${rate} pages/s`,
    hosts: (count: string, isOne: boolean) => `${count} ${isOne ? 'host' : 'hosts'}`,
    queued: (count: string) => `${count} queued`,
    open: (count: string) => `${count} open`,
    errors: (count: string, isOne: boolean) => `${count} ${isOne ? 'error' : 'errors'}`,
    eta: (time: string) => `ETA ${time}`,
    unknown: 'unknown',
    slowest: (hosts: string) => `slowest: ${hosts}`,
    hostIn: (host: string, waiting: string, time: string) => `${host} ${waiting} in ${time}`,
    stopping: 'finishing the open requests; Ctrl-C again stops at once',
  },
  pt: {
    pages: (count, isOne) => `${count} ${isOne ? 'página' : 'páginas'}`,
    pagesOf: (count, limit) => `${count} de ${limit} páginas`,
    machines: (count, isOne) => `${count} ${isOne ? 'máquina' : 'máquinas'}`,
    pagesPerSecond: rate => `${rate} páginas/s`,
    hosts: (count, isOne) => `${count} ${isOne ? 'host' : 'hosts'}`,
    queued: count => `${count} na fila`,
    open: count => `${count} abertas`,
    errors: (count, isOne) => `${count} ${isOne ? 'erro' : 'erros'}`,
    eta: time => `faltam ${time}`,
    unknown: '?',
    slowest: hosts => `mais lentos: ${hosts}`,
    hostIn: (host, waiting, time) => `${host} ${waiting} em ${time}`,
    stopping: 'terminando as requisições abertas; Ctrl-C de novo para imediatamente',
  },
})
