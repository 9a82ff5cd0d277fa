import { catalogue } from '../base/words/language.ts'

export const words = catalogue({
  en: {
    badAgent: (agent: string) => `"${agent}" can't be a user agent; write it in plain ASCII`,
    badUrl: (url: string) => `cannot fetch ${url}; pass a canonical http or https URL, as webUrl returns it`,
    badNetwork: (text: string) =>
      `"${text}" is not a network; write an address and a prefix length, such as 10.0.0.0/8 or fd00::/8`,
    badDns: (text: string) =>
      `"${text}" is not a DNS server; write an address such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53`,
    noCertificate: 'the file of --ca has no certificate; it takes PEM, with lines such as -----BEGIN CERTIFICATE-----',
    badCertificate: (place: number) => `certificate ${place} in the file of --ca is damaged; export it again as PEM`,
    hostsTooLarge: 'the hosts file is over 64 MiB; shorten it',
    badHosts: (line: number, what: string) =>
      `line ${line} of the hosts file: ${what}; write lines such as 127.0.0.1 a.example b.example`,
    notAnAddress: (text: string) => `"${text}" is not an address`,
    nameTooLong: (most: number) => `a name is longer than ${most} characters`,
  },
  pt: {
    badAgent: (agent: string) => `"${agent}" não pode ser um user agent; escreva-o em ASCII simples`,
    badUrl: (url: string) =>
      `não é possível buscar ${url}; passe uma URL http ou https canônica, como as que webUrl devolve`,
    badNetwork: (text: string) =>
      `"${text}" não é uma rede; escreva um endereço e o tamanho do prefixo, como 10.0.0.0/8 ou fd00::/8`,
    badDns: (text: string) =>
      `"${text}" não é um servidor DNS; escreva um endereço como 9.9.9.9, 127.0.0.1:5353 ou [2620:fe::fe]:53`,
    noCertificate:
      'o arquivo de --ca não tem certificado; ele deve ser PEM, com linhas como -----BEGIN CERTIFICATE-----',
    badCertificate: (place: number) =>
      `o certificado ${place} do arquivo de --ca está danificado; exporte-o de novo como PEM`,
    hostsTooLarge: 'o arquivo de hosts tem mais de 64 MiB; encurte-o',
    badHosts: (line: number, what: string) =>
      `linha ${line} do arquivo de hosts: ${what}; escreva linhas como 127.0.0.1 a.example b.example`,
    notAnAddress: (text: string) => `"${text}" não é um endereço`,
    nameTooLong: (most: number) => `um nome tem mais de ${most} caracteres`,
  },
})
