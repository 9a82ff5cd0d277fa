import { catalogue } from '../../base/words/language.ts'

/** Messages of `escalona frontier`. */
export const frontierWords = catalogue({
  en: {
    noWhere: 'no frontier given; name the folder of a crawl or of a frontier, or redis://HOST:PORT/NAME',
    noAction: (actions: string) => `say what to do with the frontier: ${actions}`,
    noSuchAction: (text: string, actions: string, meant: string | undefined) =>
      `there is no action ${text}; choose one of ${actions}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    noArgument: (action: string, name: string) => `${action} takes ${name}; write it after ${action}`,
    notAFolder: (action: string) =>
      `${action} takes a folder, not a URL; to move between two frontiers, export to a folder and import it`,
    foreignOption: (option: string, action: string) => `${option} is no option of ${action}`,
    exporting: (links: string) => `${links} links exported`,
    importing: (links: string) => `${links} links imported`,
    exported: (links: string, hosts: string, folder: string, bytes: string, seconds: string) =>
      `${links} links of ${hosts} hosts exported to ${folder} (${bytes}) in ${seconds} s`,
    imported: (links: string, hosts: string, where: string, seconds: string) =>
      `${links} links of ${hosts} hosts imported into ${where} in ${seconds} s`,
    exportStopped: 'stopped; nothing was exported',
    importStopped: (where: string, command: string) =>
      `stopped; ${where} is unfinished and cannot be used; remove what is there with ${command}`,
    sure: (where: string) => `Forget everything in ${where}, including which URLs were ever seen? Type yes: `,
    sureHost: (host: string, where: string) => `Forget all links that wait at ${host} in ${where}? Type yes: `,
    yes: 'yes',
    sayYes: 'clear forgets for good; give --yes to confirm it',
    notCleared: 'nothing was changed',
    cleared: (where: string) => `${where} is empty now`,
    hostCleared: (host: string, where: string) => `nothing waits at ${host} in ${where} any more`,
    noSuchHost: (host: string, where: string) =>
      `the host ${host} is not known in ${where}; nothing was changed; escalona frontier WHERE hosts lists those that are`,
    noOutput: 'report needs a folder for report.html and report.json; name it with -o DIR',
    reported: (path: string) => `the report is in ${path}`,
    crawlers: 'crawlers',
    shards: 'shards',
    auxiliaries: 'auxiliary links',
    turnedAway: 'turned away',
    crawler: (id: string, pages: string, ago: string) => `${id}: ${pages} pages, ${ago}`,
    heard: (ago: string) => `heard of ${ago} ago`,
    left: 'has left',
    nobody: 'none',
  },
  pt: {
    noWhere: 'falta a fronteira; indique a pasta de uma coleta ou de uma fronteira, ou redis://HOST:PORTA/NOME',
    noAction: actions => `diga o que fazer com a fronteira: ${actions}`,
    noSuchAction: (text, actions, meant) =>
      `não existe a ação ${text}; escolha uma destas: ${actions}${meant === undefined ? '' : `; você quis dizer ${meant}?`}`,
    noArgument: (action, name) => `${action} recebe ${name}; escreva-o depois de ${action}`,
    notAFolder: action =>
      `${action} recebe uma pasta, não uma URL; para mover entre duas fronteiras, exporte para uma pasta e importe-a`,
    foreignOption: (option, action) => `${option} não é uma opção de ${action}`,
    exporting: links => `${links} links exportados`,
    importing: links => `${links} links importados`,
    exported: (links, hosts, folder, bytes, seconds) =>
      `${links} links de ${hosts} hosts exportados para ${folder} (${bytes}) em ${seconds} s`,
    imported: (links, hosts, where, seconds) =>
      `${links} links de ${hosts} hosts importados em ${where} em ${seconds} s`,
    exportStopped: 'interrompido; nada foi exportado',
    importStopped: (where, command) =>
      `interrompido; ${where} está incompleto e não pode ser usado; remova o que está lá com ${command}`,
    sure: where => `Esquecer tudo em ${where}, inclusive quais URLs já foram vistas? Digite sim: `,
    sureHost: (host, where) => `Esquecer todos os links que esperam em ${host} em ${where}? Digite sim: `,
    yes: 'sim',
    sayYes: 'clear esquece para sempre; dê --yes para confirmar',
    notCleared: 'nada foi mudado',
    cleared: where => `nada resta em ${where}`,
    hostCleared: (host, where) => `nada mais espera em ${host} em ${where}`,
    noSuchHost: (host, where) =>
      `o host ${host} não é conhecido em ${where}; nada foi mudado; escalona frontier WHERE hosts lista os conhecidos`,
    noOutput: 'report precisa de uma pasta para report.html e report.json; indique-a com -o DIR',
    reported: path => `o relatório está em ${path}`,
    crawlers: 'coletores',
    shards: 'partes',
    auxiliaries: 'links auxiliares',
    turnedAway: 'rejeitados',
    crawler: (id, pages, ago) => `${id}: ${pages} páginas, ${ago}`,
    heard: ago => `visto há ${ago}`,
    left: 'saiu',
    nobody: 'nenhum',
  },
})
