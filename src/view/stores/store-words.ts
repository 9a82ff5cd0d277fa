import { catalogue } from '../../base/words/language.ts'

export const words = catalogue({
  en: {
    noFrontier: (path: string) =>
      `${path} holds no frontier; name the folder of a crawl or of a frontier, or redis://HOST:PORT/NAME`,
    notEmpty: (path: string) => `${path} is not empty; import into a new or empty folder`,
    elsewhere: (path: string, where: string) => `the frontier of the crawl in ${path} is ${where}; name that instead`,
    noReport: (path: string) => `${path} is a frontier without a crawl, so there is nothing to report; see stats`,
    noName: (where: string) => `there is no crawl at ${where}; check the name`,
  },
  pt: {
    noFrontier: path =>
      `${path} não contém uma fronteira; indique a pasta de uma coleta ou de uma fronteira, ou redis://HOST:PORTA/NOME`,
    notEmpty: path => `${path} não está vazia; importe para uma pasta nova ou vazia`,
    elsewhere: (path, where) => `a fronteira da coleta em ${path} é ${where}; indique essa`,
    noReport: path => `${path} é uma fronteira sem coleta, e não há o que relatar; veja stats`,
    noName: where => `não há coleta em ${where}; confira o nome`,
  },
})
