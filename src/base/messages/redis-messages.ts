export const redisMessages = () =>
  ({
    FRONTIER_NOT_OURS: [
      'the engine has something else under the name {name}; choose another name',
      'o servidor tem outra coisa sob o nome {name}; escolha outro nome',
    ],
    FRONTIER_OTHER_VERSION: [
      'the crawl {name} was made by another version (format {theirs}, this version reads {ours}); use the version that made it',
      'a coleta {name} foi feita por outra versão (formato {theirs}, esta versão lê {ours}); use a versão que a fez',
    ],
    'FRONTIER_BAD_OPTION/crawler': [
      'a crawler needs an id of 1 to 100 letters, digits, - or _',
      'um coletor precisa de um id de 1 a 100 letras, dígitos, - ou _',
    ],
    FRONTIER_OTHER_SHARDS: [
      'the crawl {name} has {theirs} shards, not {ours}; leave out ?shards={ours}, or choose another name',
      'a coleta {name} tem {theirs} partes (shards), não {ours}; tire ?shards={ours} ou escolha outro nome',
    ],
    FRONTIER_REPLACED: [
      'the engine has forgotten this crawl, and another machine has begun one under the same name; start this machine again in another folder',
      'o servidor esqueceu esta coleta, e outra máquina começou uma com o mesmo nome; inicie esta máquina de novo em outra pasta',
    ],
    'FRONTIER_UNSUPPORTED/observer': [
      'an observer takes no tickets; open the frontier as a crawler',
      'um observador não pega tíquetes; abra a fronteira como coletor',
    ],
    FRONTIER_CHANGED: [
      'a crawler has worked on {name} meanwhile, so the export is not whole; export it again',
      'um coletor trabalhou em {name} enquanto isso, e a exportação não está inteira; exporte de novo',
    ],
    'FRONTIER_IN_USE/force': [
      '{crawlers} {crawlers?crawler works|crawlers work} on {where}; stop {crawlers?it|them} first (a killed one counts for 20 s more), or give --force',
      '{crawlers} {crawlers?coletor trabalha|coletores trabalham} em {where}; pare-{crawlers?o|os} antes (um que foi morto conta por mais 20 s), ou dê --force',
    ],
    FRONTIER_IN_USE: [
      '{crawlers} {crawlers?crawler works|crawlers work} on {where}; stop {crawlers?it|them} first (a killed one counts for 20 s more)',
      '{crawlers} {crawlers?coletor trabalha|coletores trabalham} em {where}; pare-{crawlers?o|os} antes (um que foi morto conta por mais 20 s)',
    ],
    'redis/no-answer': ['it does not answer', 'não responde'],
    'redis/not-an-engine': ['it does not answer as Redis or Valkey does', 'não responde como o Redis ou o Valkey'],
    'redis/no-answer-for': ['it does not answer ({why})', 'não responde ({why})'],
    FRONTIER_ENGINE_TOO_OLD: [
      "the frontier's engine at {node} is version {version}; use Redis 7.0 or newer, or Valkey",
      'o servidor da fronteira em {node} é da versão {version}; use Redis 7.0 ou mais novo, ou Valkey',
    ],
    FRONTIER_ENGINE_EVICTS: [
      "the frontier's engine at {node} deletes URLs when its memory is full (maxmemory-policy {policy}); set maxmemory-policy noeviction",
      'o servidor da fronteira em {node} apaga URLs quando a memória enche (maxmemory-policy {policy}); configure maxmemory-policy noeviction',
    ],
    'redis/alone': [
      '{node} has {replicas} of the {wait} replicas that every change should reach: changes count without them, and are lost if it fails; start a replica, and set min-replicas-to-write {wait} to have the crawl wait for one',
      '{node} tem {replicas} das {wait} réplicas que cada mudança deveria alcançar: as mudanças contam sem elas, e se perdem se ele falhar; inicie uma réplica, e configure min-replicas-to-write {wait} para que a coleta espere por uma',
    ],
    'redis/not-alone': [
      '{node} has its replicas again; {changes:count} changes counted without them meanwhile',
      '{node} tem as suas réplicas de novo; enquanto isso, {changes:count} mudanças contaram sem elas',
    ],
    'redis/slots-missing': [
      'the cluster has no primary for some of its slots',
      'o cluster não tem primário para parte dos seus slots',
    ],
    'redis/not-ready': ['it is not ready ({why})', 'não está pronto ({why})'],
    FRONTIER_UNREACHABLE: [
      "cannot reach the frontier's engine at {nodes}: {why}; check the address and that Redis or Valkey is running",
      'não foi possível alcançar o servidor da fronteira em {nodes}: {why}; verifique o endereço e se o Redis ou o Valkey está em execução',
    ],
    'redis/opening': [
      "waiting for the frontier's engine at {nodes}: {why}; check the address and that Redis or Valkey is running",
      'esperando o servidor da fronteira em {nodes}: {why}; verifique o endereço e se o Redis ou o Valkey está em execução',
    ],
    'redis/over': [
      "the frontier's engine works again after {seconds} s",
      'o servidor da fronteira voltou a funcionar depois de {seconds} s',
    ],
    FRONTIER_NOT_ALLOWED: [
      '{node} refuses: {why}; check the user, the password and the permissions of the URL',
      '{node} recusa: {why}; verifique o usuário, a senha e as permissões da URL',
    ],
    FRONTIER_ENGINE_ERROR: [
      '{node} reports an error: {why}; check that the name of the crawl holds nothing else, and the version of the server',
      '{node} relata um erro: {why}; verifique se o nome da coleta não guarda outra coisa, e a versão do servidor',
    ],
    'redis/is-replica': ['it is a replica, and not the primary', 'é uma réplica, e não o primário'],
    'redis/where-form': [
      'write redis://HOST:PORT/NAME, with more nodes of a cluster as HOST:PORT,HOST:PORT',
      'escreva redis://HOST:PORTA/NOME, com mais nós de um cluster como HOST:PORTA,HOST:PORTA',
    ],
    'redis/where-name': [
      'it needs a name of letters, digits, ".", "_" and "-" after the last "/", at most 100 characters',
      'falta um nome de letras, dígitos, ".", "_" e "-" depois da última "/", com no máximo 100 caracteres',
    ],
    'redis/where-option': [
      'the option "{key}" is unknown; use shards and wait',
      'a opção "{key}" é desconhecida; use shards e wait',
    ],
    'redis/where-login': [
      'the user or the password is not percent-encoded; encode what is not a letter or a digit',
      'o usuário ou a senha não está com codificação percentual; codifique o que não for letra ou dígito',
    ],
    'redis/where-address': [
      '"{host}" is not HOST:PORT; give a port from 1 to 65535',
      '"{host}" não é HOST:PORTA; indique uma porta de 1 a 65535',
    ],
    'redis/where-number': [
      '{key} must be given once, as a number from {least} to {most}',
      '{key} deve aparecer uma vez, com um número de {least} a {most}',
    ],
    FRONTIER_BAD_URL: [
      '"{shown}" is not the URL of a shared crawl: {why}',
      '"{shown}" não é a URL de uma coleta compartilhada: {why}',
    ],
    FRONTIER_STRANGE_REPLY: [
      'the engine gave an answer that none of our scripts gives; check that it is Redis 7 or Valkey',
      'o servidor deu uma resposta que nenhum dos nossos scripts dá; verifique se é Redis 7 ou Valkey',
    ],
    'FRONTIER_DAMAGED/strange': [
      'Redis holds something under this name that is not a crawl of escalona, or it is damaged ({what}); choose another name, or clear this one',
      'o Redis guarda sob este nome algo que não é uma coleta do escalona, ou está danificado ({what}); escolha outro nome, ou limpe este',
    ],
    FRONTIER_FENCED: [
      'this crawler was away for so long that the others took over its work; start it again',
      'este coletor ficou fora por tanto tempo que os outros assumiram o seu trabalho; inicie-o de novo',
    ],
    'FRONTIER_LOST/engine': [
      'the engine has forgotten what it had acknowledged: it was restarted with an older file, or an older copy took over; run the same command again',
      'o servidor esqueceu o que tinha confirmado: reiniciou com um arquivo mais antigo, ou uma cópia mais antiga assumiu; execute o mesmo comando de novo',
    ],
    'redis/away': [
      "the frontier's engine at {node} does not answer; waiting until it does",
      'o servidor da fronteira em {node} não responde; esperando que responda',
    ],
    'redis/down': [
      'the cluster of the frontier is down or choosing a new primary; waiting until it is up',
      'o cluster da fronteira está fora do ar ou escolhendo um novo primário; esperando que volte',
    ],
    'redis/full': [
      "the memory of the frontier's engine at {node} is full; waiting until there is room",
      'a memória do servidor da fronteira em {node} está cheia; esperando que haja espaço',
    ],
    'redis/noDisk': [
      "the frontier's engine at {node} cannot write to its disk; waiting until it can: free some space there",
      'o servidor da fronteira em {node} não consegue gravar em disco; esperando que consiga: libere espaço nele',
    ],
    'redis/loading': [
      "the frontier's engine at {node} is starting; waiting until it is ready",
      'o servidor da fronteira em {node} está iniciando; esperando que fique pronto',
    ],
    'redis/moving': [
      'slots of the frontier are being moved; waiting until they have arrived',
      'slots da fronteira estão sendo movidos; esperando que cheguem',
    ],
    'redis/replicas': [
      'the replicas of {node} do not acknowledge changes; waiting until they do',
      'as réplicas de {node} não confirmam as mudanças; esperando que confirmem',
    ],
    'redis/busy': [
      "the frontier's engine at {node} is busy with a long script; waiting until it is free",
      'o servidor da fronteira em {node} está ocupado com um script demorado; esperando que termine',
    ],
    'redis/evicts-rules': [
      "the frontier's engine at {node} deletes robots.txt rules when its memory is full, so they are fetched again and again; set maxmemory-policy noeviction",
      'o servidor da fronteira em {node} apaga regras de robots.txt quando a memória enche, e elas são buscadas de novo e de novo; configure maxmemory-policy noeviction',
    ],
    'redis/not-appending': [
      "the frontier's engine at {node} keeps no append-only file: a restart or a power cut loses everything since its last snapshot; set appendonly yes",
      'o servidor da fronteira em {node} não mantém um arquivo de append: um reinício ou uma queda de energia perde tudo desde o último snapshot; configure appendonly yes',
    ],
    'redis/never-synced': [
      "the frontier's engine at {node} leaves it to the system when its file reaches the disk: a power cut loses about 30 s; set appendfsync everysec",
      'o servidor da fronteira em {node} deixa o sistema decidir quando o arquivo chega ao disco: uma queda de energia perde cerca de 30 s; configure appendfsync everysec',
    ],
    'redis/not-required': [
      'wait={wait} holds only while {node} has replicas: without them, changes count at once; set min-replicas-to-write {wait}, and the crawl waits for a replica instead',
      'wait={wait} só vale enquanto {node} tiver réplicas: sem elas, as mudanças contam na hora; configure min-replicas-to-write {wait}, e a coleta espera por uma réplica',
    ],
    'redis/no-info': [
      "the settings of the frontier's engine at {node} could not be checked, because it does not allow INFO; docs/engine.md lists what they should be",
      'não foi possível verificar as configurações do servidor da fronteira em {node}, porque ele não permite INFO; docs/engine.md diz quais devem ser',
    ],
    'redis/no-config': [
      "whether the frontier's engine at {node} syncs its file could not be checked, because it does not allow CONFIG; appendfsync should be everysec",
      'não foi possível verificar se o servidor da fronteira em {node} sincroniza o arquivo, porque ele não permite CONFIG; appendfsync deve ser everysec',
    ],
  }) as const
