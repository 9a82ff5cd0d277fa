// A crawl's folder, its run, and what the library says.
export const crawlMessages = () =>
  ({
    CRAWL_OTHER_FORMAT: [
      '{path} has format {format}, which this version of Escalona does not read; nothing was changed; use the version that wrote it',
      '{path} tem o formato {format}, que esta versão do Escalona não lê; nada foi alterado; use a versão que o escreveu',
    ],
    CRAWL_FILE_DAMAGED: [
      '{path} is damaged or was not written by Escalona; restore a copy, or remove it: its settings are then read from crawl.toml',
      '{path} está danificado ou não foi escrito pelo Escalona; restaure uma cópia, ou remova-o: as configurações são então lidas de crawl.toml',
    ],
    'CRAWL_FOLDER_UNUSABLE/unreadable': ['cannot read {path}: {why}', 'não é possível ler {path}: {why}'],
    'folder/cut': [
      '{path}: cut off {bytes} bytes of an incomplete line',
      '{path}: {bytes} bytes de uma linha incompleta foram cortados',
    ],
    'folder/foreign': [
      '{path}: {lines?1 line is|# lines are} not what Escalona writes, and left out; the first begins at byte {at}',
      '{path}: {lines?1 linha não é o que o Escalona escreve e foi ignorada; começa|# linhas não são o que o Escalona escreve e foram ignoradas; a primeira começa} no byte {at}',
    ],
    CRAWL_UNWRITABLE: [
      'cannot use {path}: {why}; fix that, then run the same command to continue',
      'não é possível usar {path}: {why}; resolva isso e execute o mesmo comando para continuar',
    ],
    'CRAWL_NO_SEEDS/lost-seeds': [
      'this folder does not have all seeds of its crawl: its start was interrupted, or seeds.jsonl was changed; run the crawl command again with all of its seeds (with --rebuild, too, to make the frontier again)',
      'esta pasta não tem todas as sementes da sua coleta: o início foi interrompido, ou seeds.jsonl foi alterado; execute de novo o comando crawl com todas as sementes (e com --rebuild, para refazer a fronteira)',
    ],
    'folder/damaged': [
      '{path} is damaged; what can be counted is counted again from pages.jsonl and failures.jsonl',
      '{path} está danificado; o que pode ser contado é contado de novo de pages.jsonl e failures.jsonl',
    ],
    'CRAWL_UNWRITABLE/stats': [
      'cannot write the statistics: {why}; fix that, then run the same command to continue',
      'não foi possível gravar as estatísticas: {why}; resolva isso e execute o mesmo comando para continuar',
    ],
    'CRAWL_NOT_RUNNING/ended': [
      'the crawl has ended; call crawl() again to continue it',
      'a coleta terminou; chame crawl() de novo para continuá-la',
    ],
    CRAWL_NOT_BEGUN: [
      'the crawl has not begun; read its pages or call run() first',
      'a coleta não começou; leia as suas páginas ou chame run() primeiro',
    ],
    CRAWL_NO_PAGE: [
      'enqueue and items.push belong to the page that is being handed out: call them in onPage or in the loop over the pages; addSeeds adds URLs at any other time',
      'enqueue e items.push pertencem à página que está sendo entregue: chame-os em onPage ou no laço sobre as páginas; addSeeds acrescenta URLs em qualquer outro momento',
    ],
    CRAWL_BAD_ITEM: [
      'an item must be an object that JSON can hold, without loops and BigInt, of at most {most} bytes; push its parts one by one',
      'um item deve ser um objeto que cabe em JSON, sem ciclos nem BigInt, de no máximo {most} bytes; acrescente as partes uma a uma',
    ],
    'CRAWL_BAD_ATTACHMENT/label': [
      'the label of a link must be a string; put anything else into data',
      'o label de um link deve ser um texto; coloque qualquer outra coisa em data',
    ],
    'CRAWL_BAD_ATTACHMENT/json': [
      'the data of a link must be a value that JSON can hold, without loops and BigInt',
      'o data de um link deve ser um valor que cabe em JSON, sem ciclos nem BigInt',
    ],
    'CRAWL_BAD_ATTACHMENT/long': [
      'label and data of a link have {bytes} bytes as JSON, and at most {most} are kept; keep the rest elsewhere, by URL',
      'label e data de um link têm {bytes} bytes em JSON, e no máximo {most} são guardados; guarde o resto em outro lugar, por URL',
    ],
    CRAWL_BAD_RANK: [
      'rankLink must return a number from 0 to 1, or nothing, not {value}',
      'rankLink deve retornar um número de 0 a 1, ou nada, e não {value}',
    ],
    CRAWL_BAD_SCORE: [
      'the score of a page must be a number from 0 to 1, not {value}',
      'o score de uma página deve ser um número de 0 a 1, e não {value}',
    ],
    CRAWL_BEGUN: [
      'a crawl can be read only once; call crawl() again',
      'uma coleta só pode ser lida uma vez; chame crawl() de novo',
    ],
    'run/few-files': [
      'the limit on open files allows {allowed} requests at once, not {wanted}; raise it with ulimit -n',
      'o limite de arquivos abertos permite {allowed} requisições ao mesmo tempo, não {wanted}; aumente-o com ulimit -n',
    ],
    'run/little-new': [
      'the pages of {host} bring little that is new and endless new links: it is asked more rarely; --mazes follow ends that',
      'as páginas de {host} trazem pouco de novo e links novos sem fim: será consultado mais raramente; --mazes follow desfaz isso',
    ],
    'run/challenges': [
      '{count?a host answers|# hosts answer} with challenge pages: {hosts}. Contact the people who run {count?it|them} and ask for access, name yourself with --contact or --user-agent, and raise --delay',
      '{count?um host responde|# hosts respondem} com páginas de desafio: {hosts}. Fale com quem {count?o|os} administra e peça acesso, identifique-se com --contact ou --user-agent, e aumente --delay',
    ],
    'run/worker-died': [
      'a worker thread died and was replaced: {why}',
      'uma thread de trabalho morreu e foi substituída: {why}',
    ],
    'run/few-connections': [
      'this machine has run out of connections: at most {most} requests at once from now on; raise the limit on open files (ulimit -n), or lower --concurrency',
      'esta máquina ficou sem conexões: no máximo {most} requisições ao mesmo tempo a partir de agora; aumente o limite de arquivos abertos (ulimit -n) ou diminua --concurrency',
    ],
    'run/back': ['the network is back after {away:duration}', 'a rede voltou depois de {away:duration}'],
    'run/unsettled': [
      'the frontier is still away; the pages archived last are settled at the next start',
      'a fronteira continua fora; as últimas páginas arquivadas são registradas no próximo início',
    ],
    'CRAWL_NOT_RUNNING/ending': [
      'the crawl is ending; start it again with escalona resume, then change it',
      'a coleta está terminando; inicie-a de novo com escalona resume, e depois mude-a',
    ],
    'CRAWL_BAD_ACTION/shared': [
      'machines share this crawl, and what holds for all of them can be changed only when it starts ({settings}); stop all machines, then start one with the new value',
      'várias máquinas fazem esta coleta, e o que vale para todas só pode ser mudado quando ela começa ({settings}); pare todas as máquinas e inicie uma com o novo valor',
    ],
    'CRAWL_BAD_ACTION/no-host': [
      'this crawl does not know the host {host}; search for its exact name, or add one of its pages as a seed',
      'esta coleta não conhece o host {host}; procure o nome exato, ou acrescente uma de suas páginas como semente',
    ],
    'CRAWL_BAD_ACTION/other-reason': [
      'a seed is let in past scope, depth and patterns, but not past: {reasons:list}; change what keeps these links out, or choose links by another reason',
      'uma semente entra apesar do escopo, da profundidade e dos padrões, mas não apesar de: {reasons:list}; mude o que retém estes links, ou escolha links por outro motivo',
    ],
    'CRAWL_BAD_ACTION/many-links': [
      'at most {most} links can be let in at a time; choose fewer, by host or by a part of the URL, or change the setting that keeps them out',
      'no máximo {most} links podem entrar por vez; escolha menos, por host ou por uma parte da URL, ou mude a configuração que os retém',
    ],
    'CRAWL_BAD_ACTION/shared-delay': [
      'machines share this crawl, and the delay of a host holds for all of them; stop all machines, then start one with the delay in its configuration file',
      'várias máquinas fazem esta coleta, e o intervalo de um host vale para todas; pare todas as máquinas e inicie uma com o intervalo no arquivo de configuração',
    ],
    'CRAWL_BAD_ACTION/many-hosts': [
      '{most} hosts have settings of their own already; remove some with delayMs null, or use a pattern such as *.example.org in a configuration file',
      '{most} hosts já têm configurações próprias; remova algumas com delayMs null, ou use um padrão como *.example.org em um arquivo de configuração',
    ],
    CRAWL_WORKERS_DIED: [
      'worker threads keep dying: {why}; run the same command to continue the crawl',
      'as threads de trabalho morrem uma após a outra: {why}; execute o mesmo comando para continuar a coleta',
    ],
    'CRAWL_OTHER_FRONTIER/own': [
      'the crawl in {path} has its own frontier, not {where}; name a new folder with -o, and take the frontier along with escalona frontier {where} import {path}',
      'a coleta em {path} tem a sua própria fronteira, não {where}; dê uma pasta nova com -o, e leve a fronteira junto com escalona frontier {where} import {path}',
    ],
    'CRAWL_OTHER_FRONTIER/other': [
      'the crawl in {path} belongs to {where}, not to {given}; leave --frontier out, or name another folder with -o',
      'a coleta em {path} pertence a {where}, não a {given}; retire --frontier, ou dê outra pasta com -o',
    ],
    'CRAWL_FRONTIER_MISSING/lost': [
      '{where} has no crawl called {name} any more, so all pages would be collected again; restore it, or start another crawl in another folder',
      '{where} não tem mais uma coleta chamada {name}, e todas as páginas seriam coletadas de novo; restaure-a, ou comece outra coleta em outra pasta',
    ],
    CRAWL_STOPPED: [
      'stopped before the crawl began; run the same command again',
      'parou antes de a coleta começar; execute o mesmo comando de novo',
    ],
    'run/waits': [
      'waiting for the machine that begins the crawl at {where} with its seeds',
      'esperando a máquina que começa a coleta em {where} com as suas sementes',
    ],
    'run/differ': ['--{setting} {theirs}, not {ours}', '--{setting} {theirs}, não {ours}'],
    'CRAWL_TERMS_STRANGE/newer': [
      'the crawl at {where} was started by a newer version of Escalona; use that version',
      'a coleta em {where} foi iniciada por uma versão mais nova do Escalona; use essa versão',
    ],
    'CRAWL_TERMS_STRANGE/strange': [
      'the settings of the crawl at {where} are damaged or were not written by Escalona; use another name, or remove it with escalona frontier {where} clear',
      'as configurações da coleta em {where} estão danificadas ou não foram escritas pelo Escalona; use outro nome, ou remova-a com escalona frontier {where} clear',
    ],
    CRAWL_FOLDER_UNUSABLE: ['cannot use {path}: {why}', 'não é possível usar {path}: {why}'],
    'CRAWL_OTHER_FORMAT/unnamed': [
      '{path} is missing, and so are crawl.toml and seeds.jsonl: another version of Escalona made this folder, or it has lost them; nothing was changed; restore them from a copy, or name a new folder',
      '{path} não existe, nem crawl.toml, nem seeds.jsonl: outra versão do Escalona criou esta pasta, ou ela os perdeu; nada foi alterado; restaure-os de uma cópia, ou dê uma pasta nova',
    ],
    CRAWL_FOLDER_TAKEN: [
      '{path} is not empty and holds no crawl; name a new or empty folder',
      '{path} não está vazia e não contém uma coleta; dê uma pasta nova ou vazia',
    ],
    'CRAWL_OTHER_FRONTIER/no-rebuild': [
      "the frontier of this crawl is not in its folder but in {where}, and can't be made again from it",
      'a fronteira desta coleta não está na pasta, mas em {where}, e não pode ser refeita a partir dela',
    ],
    'CRAWL_FRONTIER_MISSING/no-frontier': [
      '{path} is missing, so all pages would be collected again; restore it from a copy, or make it again from the archive: escalona resume {folder} --rebuild',
      '{path} não existe, e todas as páginas seriam coletadas de novo; restaure-a de uma cópia, ou refaça-a a partir do acervo: escalona resume {folder} --rebuild',
    ],
    'run/damaged': [
      "what the frontier's engine has of {hosts?a host|# hosts} is damaged; {hosts?it is|they are} set aside, with what waits there",
      'o que o servidor da fronteira tem de {hosts?um host|# hosts} está danificado; {hosts?ele fica|eles ficam} de lado, com o que espera ali',
    ],
    'run/hint': ['; did you mean {name}?', '; você quis dizer {name}?'],
    CRAWL_BAD_RETRY: [
      '--retry takes failed, refused, held or a reason such as timeout or status-404, not {text}{hint}',
      '--retry pede failed, refused, held ou um motivo como timeout ou status-404, não {text}{hint}',
    ],
    CRAWL_NO_SEEDS: [
      'there is no crawl in this folder; give at least one seed to start one',
      'não há coleta nesta pasta; dê pelo menos uma semente para começar uma',
    ],
    'run/rebuilt': [
      'the frontier was made again: {pages:count} pages are done, {links:count} links wait, {refused:count} were refused or failed',
      'a fronteira foi refeita: {pages:count} páginas concluídas, {links:count} links esperam, {refused:count} foram recusados ou falharam',
    ],
    'run/unread': [
      'the links of {pages:count} archived pages could not be read again: their WARC files are missing or damaged',
      'não foi possível reler os links de {pages:count} páginas arquivadas: seus arquivos WARC faltam ou estão danificados',
    ],
    'run/not-kept': [
      '{pages:count} pages asked not to be indexed or archived, so what they link to is not known: --retry noindex --retry noarchive asks for them again',
      '{pages:count} páginas pediram para não ser indexadas ou arquivadas, e não se sabe para onde apontam: --retry noindex --retry noarchive as pede de novo',
    ],
    'run/aside': [
      'the frontier that was there before is in {path} now; remove it when you no longer need it',
      'a fronteira que havia antes está agora em {path}; remova-a quando não precisar mais dela',
    ],
    'run/lost-all': [
      "LOST: the frontier's engine has forgotten this crawl, or all of a part of it; the seeds, and everything that this machine archived, are offered again",
      'PERDA: o servidor da fronteira esqueceu esta coleta, ou toda uma parte dela; as sementes, e tudo o que esta máquina arquivou, são oferecidas de novo',
    ],
    'run/lost': [
      "LOST: the frontier's engine has forgotten what it had acknowledged in the last {ago:duration}; the seeds, and what this machine archived since, are offered again",
      'PERDA: o servidor da fronteira esqueceu o que tinha confirmado nos últimos {ago:duration}; as sementes, e o que esta máquina arquivou desde então, são oferecidas de novo',
    ],
    'run/recovered': [
      'what was lost is offered again, and the crawl goes on; some pages of that time may be collected twice',
      'o que se perdeu foi oferecido de novo, e a coleta continua; algumas páginas desse tempo podem ser coletadas duas vezes',
    ],
    'run/from-config': [
      '{path} is missing; the settings are read from crawl.toml',
      '{path} não existe; as configurações são lidas de crawl.toml',
    ],
    'run/no-settings': [
      '{path} and crawl.toml are missing; only the settings that are given now apply',
      '{path} e crawl.toml não existem; só valem as configurações dadas agora',
    ],
    'away/network': [
      'no host answers: the network seems to be down; nothing counts as failed, and the crawl continues when it is back',
      'nenhum host responde: a rede parece estar fora; nada conta como falha, e a coleta continua quando ela voltar',
    ],
    'away/proxy': [
      'the proxy cannot be reached; nothing counts as failed, and the crawl continues when it is back; check --proxy, HTTP_PROXY and HTTPS_PROXY',
      'o proxy não pode ser alcançado; nada conta como falha, e a coleta continua quando ele voltar; verifique --proxy, HTTP_PROXY e HTTPS_PROXY',
    ],
    CRAWL_OTHER_SEEDS: [
      'this crawl does not have {count?the seed|# of these seeds, such as} {example}; add {count?it|them} with --add, or start another crawl in another folder with -o (in a program: the options add and folder)',
      'esta coleta não tem {count?a semente|# destas sementes, como} {example}; acrescente-{count?a|as} com --add, ou comece outra coleta em outra pasta com -o (num programa: as opções add e folder)',
    ],
    CRAWL_OTHER_SETTINGS: [
      '{machines?another machine is|# other machines are} working on this crawl with other settings ({changes:clauses}); leave that out, or change it when no other machine is at work',
      '{machines?outra máquina trabalha|outras # máquinas trabalham} nesta coleta com outras configurações ({changes:clauses}); retire isso, ou mude-o quando nenhuma outra máquina estiver trabalhando',
    ],
    'rest/blocked': ['blocked by you', 'bloqueado por você'],
    'rest/retry-after': ['Retry-After', 'Retry-After'],
    'rest/error': ['error on a page', 'erro em página'],
    'rest/slow': ['slow answer', 'resposta lenta'],
    'rest/challenge': ['challenge page', 'página de desafio'],
    'rest/failures': ['failures', 'falhas'],
    'rest/crawl-delay': ['Crawl-delay', 'Crawl-delay'],
    'rest/little-new': ['little that is new', 'pouco de novo'],
    'rest/delay': ['--delay', '--delay'],
    'FRONTIER_DAMAGED/rebuild': [
      '{damage}, or make the frontier again from the archive: escalona resume {folder} --rebuild',
      '{damage}, ou refaça a fronteira a partir do acervo: escalona resume {folder} --rebuild',
    ],
  }) as const
