import { catalogue } from '../../../base/words/language.ts'

/** What the engine and its URL say. */
export const words = catalogue({
  en: {
    badWhere: (shown: string, why: string) => `"${shown}" is not the URL of a shared crawl: ${why}`,
    whereForm: 'write redis://HOST:PORT/NAME, with more nodes of a cluster as HOST:PORT,HOST:PORT',
    whereName: 'it needs a name of letters, digits, ".", "_" and "-" after the last "/", at most 100 characters',
    whereOption: (key: string) => `the option "${key}" is unknown; use shards and wait`,
    whereLogin: 'the user or the password is not percent-encoded; encode what is not a letter or a digit',
    whereAddress: (host: string) => `"${host}" is not HOST:PORT; give a port from 1 to 65535`,
    whereNumber: (key: string, least: number, most: number) =>
      `${key} must be given once, as a number from ${least} to ${most}`,

    unreachable: (nodes: string, why: string) =>
      `cannot reach the frontier's engine at ${nodes}: ${why}; check the address and that Redis or Valkey is running`,
    noAnswer: 'it does not answer',
    noAnswerFor: (why: string) => `it does not answer (${why})`,
    slotsMissing: 'the cluster has no primary for some of its slots',
    notAllowed: (node: string, why: string) =>
      `${node} refuses: ${why}; check the user, the password and the permissions of the URL`,
    engineError: (node: string, why: string) =>
      `${node} reports an error: ${why}; check that the name of the crawl holds nothing else, and the version of the server`,
    notAnEngine: 'it does not answer as Redis or Valkey does',
    isReplica: 'it is a replica, and not the primary',
    closed: 'the frontier is closed; open it again',

    away: (node: string) => `the frontier's engine at ${node} does not answer; waiting until it does`,
    down: 'the cluster of the frontier is down or choosing a new primary; waiting until it is up',
    full: (node: string) => `the memory of the frontier's engine at ${node} is full; waiting until there is room`,
    noDisk: (node: string) =>
      `the frontier's engine at ${node} cannot write to its disk; waiting until it can: free some space there`,
    loading: (node: string) => `the frontier's engine at ${node} is starting; waiting until it is ready`,
    moving: 'slots of the frontier are being moved; waiting until they have arrived',
    replicas: (node: string) => `the replicas of ${node} do not acknowledge changes; waiting until they do`,
    busy: (node: string) => `the frontier's engine at ${node} is busy with a long script; waiting until it is free`,
    over: (seconds: string) => `the frontier's engine works again after ${seconds} s`,
  },
  pt: {
    badWhere: (shown, why) => `"${shown}" não é a URL de uma coleta compartilhada: ${why}`,
    whereForm: 'escreva redis://HOST:PORTA/NOME, com mais nós de um cluster como HOST:PORTA,HOST:PORTA',
    whereName: 'falta um nome de letras, dígitos, ".", "_" e "-" depois da última "/", com no máximo 100 caracteres',
    whereOption: key => `a opção "${key}" é desconhecida; use shards e wait`,
    whereLogin: 'o usuário ou a senha não está com codificação percentual; codifique o que não for letra ou dígito',
    whereAddress: host => `"${host}" não é HOST:PORTA; indique uma porta de 1 a 65535`,
    whereNumber: (key, least, most) => `${key} deve aparecer uma vez, com um número de ${least} a ${most}`,

    unreachable: (nodes, why) =>
      `não foi possível alcançar o servidor da fronteira em ${nodes}: ${why}; verifique o endereço e se o Redis ou o Valkey está em execução`,
    noAnswer: 'não responde',
    noAnswerFor: why => `não responde (${why})`,
    slotsMissing: 'o cluster não tem primário para parte dos seus slots',
    notAllowed: (node, why) => `${node} recusa: ${why}; verifique o usuário, a senha e as permissões da URL`,
    engineError: (node, why) =>
      `${node} relata um erro: ${why}; verifique se o nome da coleta não guarda outra coisa, e a versão do servidor`,
    notAnEngine: 'não responde como o Redis ou o Valkey',
    isReplica: 'é uma réplica, e não o primário',
    closed: 'a fronteira está fechada; abra-a de novo',

    away: node => `o servidor da fronteira em ${node} não responde; esperando que responda`,
    down: 'o cluster da fronteira está fora do ar ou escolhendo um novo primário; esperando que volte',
    full: node => `a memória do servidor da fronteira em ${node} está cheia; esperando que haja espaço`,
    noDisk: node =>
      `o servidor da fronteira em ${node} não consegue gravar em disco; esperando que consiga: libere espaço nele`,
    loading: node => `o servidor da fronteira em ${node} está iniciando; esperando que fique pronto`,
    moving: 'slots da fronteira estão sendo movidos; esperando que cheguem',
    replicas: node => `as réplicas de ${node} não confirmam as mudanças; esperando que confirmem`,
    busy: node => `o servidor da fronteira em ${node} está ocupado com um script demorado; esperando que termine`,
    over: seconds => `o servidor da fronteira voltou a funcionar depois de ${seconds} s`,
  },
})
