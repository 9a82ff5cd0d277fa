import { catalogue } from '../../../base/words/language.ts'

/** The messages of the engine, of its URL, and of a frontier in it. */
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
    opening: (nodes: string, why: string) =>
      `waiting for the frontier's engine at ${nodes}: ${why}; check the address and that Redis or Valkey is running`,
    noAnswer: 'it does not answer',
    notReady: (why: string) => `it is not ready (${why})`,
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

    tooOld: (node: string, version: string) =>
      `the frontier's engine at ${node} is version ${version}; use Redis 7.0 or newer, or Valkey`,
    evicts: (node: string, policy: string) =>
      `the frontier's engine at ${node} deletes URLs when its memory is full (maxmemory-policy ${policy}); set maxmemory-policy noeviction`,
    evictsRules: (node: string) =>
      `the frontier's engine at ${node} deletes robots.txt rules when its memory is full, so they are fetched again and again; set maxmemory-policy noeviction`,
    notAppending: (node: string) =>
      `the frontier's engine at ${node} keeps no append-only file: a restart or a power cut loses everything since its last snapshot; set appendonly yes`,
    neverSynced: (node: string) =>
      `the frontier's engine at ${node} leaves it to the system when its file reaches the disk: a power cut loses about 30 s; set appendfsync everysec`,
    notRequired: (node: string, wait: number) =>
      `wait=${wait} holds only while ${node} has replicas: without them, changes count at once; set min-replicas-to-write ${wait}, and the crawl waits for a replica instead`,
    noInfo: (node: string) =>
      `the settings of the frontier's engine at ${node} could not be checked, because it does not allow INFO; docs/scaling.md lists what they should be`,
    noConfig: (node: string) =>
      `whether the frontier's engine at ${node} syncs its file could not be checked, because it does not allow CONFIG; appendfsync should be everysec`,
    alone: (node: string, replicas: number, wait: number) =>
      `${node} has ${replicas} of the ${wait} replicas that every change should reach: changes count without them, and are lost if it fails; start a replica, and set min-replicas-to-write ${wait} to have the crawl wait for one`,
    notAlone: (node: string, changes: string) =>
      `${node} has its replicas again; ${changes} changes counted without them meanwhile`,
    over: (seconds: string) => `the frontier's engine works again after ${seconds} s`,

    strangeReply: 'the engine gave an answer that none of our scripts gives; check that it is Redis 7 or Valkey',
    notOurs: (name: string) => `the engine has something else under the name ${name}; choose another name`,
    otherFormat: (name: string, theirs: number, ours: number) =>
      `the crawl ${name} was made by another version (format ${theirs}, this version reads ${ours}); use the version that made it`,
    otherShards: (name: string, theirs: number, ours: number) =>
      `the crawl ${name} has ${theirs} shards, not ${ours}; leave out ?shards=${ours}, or choose another name`,
    inUse: (where: string, crawlers: number) =>
      `${crawlers} ${crawlers === 1 ? 'crawler works' : 'crawlers work'} on ${where}; stop ${crawlers === 1 ? 'it' : 'them'} first (a killed one counts for 20 s more)`,
    changed: (name: string) => `a crawler has worked on ${name} meanwhile, so the export is not whole; export it again`,
    observer: 'an observer takes no tickets; open the frontier as a crawler',
    replaced:
      'the engine has forgotten this crawl, and another machine has begun one under the same name; start this machine again in another folder',
    badCrawler: 'a crawler needs an id of 1 to 100 letters, digits, - or _',
    damaged: (what: string) =>
      `Redis holds something under this name that is not a crawl of escalona, or it is damaged (${what}); choose another name, or clear this one`,
    fenced: 'this crawler was away for so long that the others took over its work; start it again',
    lost: 'the engine has forgotten what it had acknowledged: it was restarted with an older file, or an older copy took over; run the same command again',
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
    opening: (nodes, why) =>
      `esperando o servidor da fronteira em ${nodes}: ${why}; verifique o endereço e se o Redis ou o Valkey está em execução`,
    noAnswer: 'não responde',
    notReady: why => `não está pronto (${why})`,
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

    tooOld: (node, version) =>
      `o servidor da fronteira em ${node} é da versão ${version}; use Redis 7.0 ou mais novo, ou Valkey`,
    evicts: (node, policy) =>
      `o servidor da fronteira em ${node} apaga URLs quando a memória enche (maxmemory-policy ${policy}); configure maxmemory-policy noeviction`,
    evictsRules: node =>
      `o servidor da fronteira em ${node} apaga regras de robots.txt quando a memória enche, e elas são buscadas de novo e de novo; configure maxmemory-policy noeviction`,
    notAppending: node =>
      `o servidor da fronteira em ${node} não mantém um arquivo de append: um reinício ou uma queda de energia perde tudo desde o último snapshot; configure appendonly yes`,
    neverSynced: node =>
      `o servidor da fronteira em ${node} deixa o sistema decidir quando o arquivo chega ao disco: uma queda de energia perde cerca de 30 s; configure appendfsync everysec`,
    notRequired: (node, wait) =>
      `wait=${wait} só vale enquanto ${node} tiver réplicas: sem elas, as mudanças contam na hora; configure min-replicas-to-write ${wait}, e a coleta espera por uma réplica`,
    noInfo: node =>
      `não foi possível verificar as configurações do servidor da fronteira em ${node}, porque ele não permite INFO; docs/scaling.md diz quais devem ser`,
    noConfig: node =>
      `não foi possível verificar se o servidor da fronteira em ${node} sincroniza o arquivo, porque ele não permite CONFIG; appendfsync deve ser everysec`,
    alone: (node, replicas, wait) =>
      `${node} tem ${replicas} das ${wait} réplicas que cada mudança deveria alcançar: as mudanças contam sem elas, e se perdem se ele falhar; inicie uma réplica, e configure min-replicas-to-write ${wait} para que a coleta espere por uma`,
    notAlone: (node, changes) =>
      `${node} tem as suas réplicas de novo; enquanto isso, ${changes} mudanças contaram sem elas`,
    over: seconds => `o servidor da fronteira voltou a funcionar depois de ${seconds} s`,

    strangeReply: 'o servidor deu uma resposta que nenhum dos nossos scripts dá; verifique se é Redis 7 ou Valkey',
    notOurs: name => `o servidor tem outra coisa sob o nome ${name}; escolha outro nome`,
    otherFormat: (name, theirs, ours) =>
      `a coleta ${name} foi feita por outra versão (formato ${theirs}, esta versão lê ${ours}); use a versão que a fez`,
    otherShards: (name, theirs, ours) =>
      `a coleta ${name} tem ${theirs} partes (shards), não ${ours}; tire ?shards=${ours} ou escolha outro nome`,
    inUse: (where, crawlers) =>
      `${crawlers} ${crawlers === 1 ? 'coletor trabalha' : 'coletores trabalham'} em ${where}; pare-${crawlers === 1 ? 'o' : 'os'} antes (um que foi morto conta por mais 20 s)`,
    changed: name => `um coletor trabalhou em ${name} enquanto isso, e a exportação não está inteira; exporte de novo`,
    observer: 'um observador não pega tíquetes; abra a fronteira como coletor',
    replaced:
      'o servidor esqueceu esta coleta, e outra máquina começou uma com o mesmo nome; inicie esta máquina de novo em outra pasta',
    badCrawler: 'um coletor precisa de um id de 1 a 100 letras, dígitos, - ou _',
    damaged: what =>
      `o Redis guarda sob este nome algo que não é uma coleta do escalona, ou está danificado (${what}); escolha outro nome, ou limpe este`,
    fenced: 'este coletor ficou fora por tanto tempo que os outros assumiram o seu trabalho; inicie-o de novo',
    lost: 'o servidor esqueceu o que tinha confirmado: reiniciou com um arquivo mais antigo, ou uma cópia mais antiga assumiu; execute o mesmo comando de novo',
  },
})
