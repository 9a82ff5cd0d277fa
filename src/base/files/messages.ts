import { catalogue } from '../words/language.ts'

/** What this folder says to people. Names are printable already. */
export const words = catalogue({
  en: {
    standardInput: 'standard input',
    standardOutput: 'standard output',
    cannotRead: (name: string, why: string) => `cannot read ${name}: ${why}`,
    cannotWrite: (name: string, why: string) => `cannot write ${name}: ${why}`,
    readerGone: 'nobody reads the output any more',
    takenOver: (folder: string) =>
      `another process has taken over ${folder}; this one stops and has written nothing since. Start it again when the other has ended`,
    waitingForUnseen: (folder: string, seconds: number) =>
      `${folder} is held by a process that can't be seen from here; waiting ${seconds} s to find out whether it still runs`,
    anotherProcess: 'another process',
    processOn: (pid: number, host: string) => `process ${pid} on ${host}`,
    inUse: (folder: string, who: string) =>
      `${folder} is in use by ${who}; wait for it to end, or choose another folder`,
  },
  pt: {
    standardInput: 'a entrada padrão',
    standardOutput: 'a saída padrão',
    cannotRead: (name, why) => `não foi possível ler ${name}: ${why}`,
    cannotWrite: (name, why) => `não foi possível escrever ${name}: ${why}`,
    readerGone: 'ninguém mais lê a saída',
    takenOver: folder =>
      `outro processo assumiu ${folder}; este para, e não escreveu nada desde então. Inicie de novo quando o outro terminar`,
    waitingForUnseen: (folder, seconds) =>
      `${folder} está com um processo que não pode ser visto daqui; esperando ${seconds} s para saber se ele ainda executa`,
    anotherProcess: 'outro processo',
    processOn: (pid, host) => `o processo ${pid} em ${host}`,
    inUse: (folder, who) => `${folder} está em uso por ${who}; espere que termine ou escolha outra pasta`,
  },
})
