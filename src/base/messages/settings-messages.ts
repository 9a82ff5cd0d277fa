// The settings of a crawl, actions on it, and the options of crawl().
export const settingsMessages = () =>
  ({
    'settings/options': ['the options', 'o conjunto'],
    'settings/temporary-folder': [
      'folder and temporary exclude each other; leave out one of them',
      'folder e temporary excluem um ao outro; deixe um deles de fora',
    ],
    'settings/bad-seed': [
      '{text} is not a web address ({why}); write https://host/path',
      '{text} não é um endereço da web ({why}); escreva https://host/caminho',
    ],
    'CRAWL_BAD_ACTION/host': [
      'a host is written like example.org or example.org:8443; correct its name',
      'um host se escreve como example.org ou example.org:8443; corrija o nome',
    ],
    'CRAWL_BAD_ACTION/kind': [
      'an action has a kind, one of: {kinds:list}',
      'uma ação tem um kind, um destes: {kinds:list}',
    ],
    'CRAWL_BAD_ACTION/states': [
      'states names some of {states:list}; the action can change no other links',
      'states indica alguns destes: {states:list}; a ação não muda outros links',
    ],
    'CRAWL_BAD_ACTION/choice': [
      '{name} is not a value that links can be chosen by; correct it',
      '{name} não é um valor pelo qual se escolham links; corrija-o',
    ],
    'CRAWL_BAD_ACTION/no-seeds': [
      'no seeds given; write at least one URL',
      'faltam sementes; escreva pelo menos uma URL',
    ],
    'CRAWL_BAD_ACTION/many-seeds': [
      'at most {most} seeds at a time; add them in several steps',
      'no máximo {most} sementes por vez; acrescente-as em várias etapas',
    ],
    'CRAWL_BAD_ACTION/bad-seed': ['nothing was added: {mistakes}', 'nada foi acrescentado: {mistakes}'],
    'CRAWL_BAD_ACTION/nothing': [
      'nothing is to be changed; name at least one thing',
      'não há nada a mudar; indique pelo menos uma coisa',
    ],
    'CRAWL_BAD_SETTING/patterns': [
      '{name} takes at most {most} patterns of {chars} characters; give fewer or shorter ones',
      '{name} recebe no máximo {most} padrões de {chars} caracteres; dê menos padrões ou mais curtos',
    ],
    'CRAWL_BAD_SETTING/language': [
      '{setting} takes languages of two or three small letters, such as pt,en; not {text}',
      '{setting} pede idiomas de duas ou três letras minúsculas, como pt,en; não {text}',
    ],
    'CRAWL_BAD_SETTING/no-set': [
      '{setting}: there is no set of patterns {name}{hint}; the sets are {names:list} (escalona help patterns)',
      '{setting}: não há um conjunto de padrões {name}{hint}; os conjuntos são {names:list} (escalona help patterns)',
    ],
    'CRAWL_BAD_ACTION/delay': [
      'delayMs is a number of milliseconds from 0 to 31 days, or null for the delay of the crawl; correct it',
      'delayMs é um número de milissegundos de 0 a 31 dias, ou null para o intervalo da coleta; corrija-o',
    ],
    'CRAWL_BAD_ACTION/block': [
      'blockedUntilMs is a time in milliseconds since 1970, at most 31 days from now, or null to end a block; correct it',
      'blockedUntilMs é um momento em milissegundos desde 1970, no máximo 31 dias a partir de agora, ou null para acabar com um bloqueio; corrija-o',
    ],
    'CRAWL_BAD_ACTION/clear': ['clear is true or missing; correct it', 'clear é true ou não existe; corrija-o'],
    'settings/action': ['the action', 'a ação'],
    'CRAWL_BAD_SETTING/delay': [
      'the delay of {host} must be from 0 to 31 days; correct it',
      'o intervalo de {host} deve ser de 0 a 31 dias; corrija-o',
    ],
    'CRAWL_BAD_SETTING/limit': [
      'the limit of {host} must be a whole number of pages from 1 up; correct it',
      'o limite de {host} deve ser um número inteiro de páginas a partir de 1; corrija-o',
    ],
    'CRAWL_BAD_SETTING/once': ['--{option} can be given only once', '--{option} só pode ser dado uma vez'],
    'CRAWL_BAD_SETTING/agent': [
      'a User-Agent begins with a name of letters and is plain text of at most 500 characters',
      'um User-Agent começa com um nome de letras e é texto simples de até 500 caracteres',
    ],
    'CRAWL_BAD_SETTING/contact': [
      '--contact takes a URL or an email address in plain text of at most 250 characters',
      '--contact pede uma URL ou um endereço de e-mail em texto simples de até 250 caracteres',
    ],
    'CRAWL_BAD_SETTING/one-of': [
      '--{option} takes {names:list} or {last}, not {text}',
      '--{option} pede {names:list} ou {last}, não {text}',
    ],
    'CRAWL_BAD_SETTING/long-number': [
      '{setting} cannot be {number}: the folder could not keep it; write a plain number with fewer digits',
      '{setting} não pode ser {number}: a pasta não conseguiria guardá-lo; escreva um número simples com menos dígitos',
    ],
    'CRAWL_BAD_SETTING/only-again': [
      '--{option} says which pages to visit again, and this crawl visits none; add --recrawl due or --recrawl now',
      '--{option} diz quais páginas visitar de novo, e esta coleta não visita nenhuma; acrescente --recrawl due ou --recrawl now',
    ],
    'CRAWL_BAD_SETTING/only-none': [
      '{setting} cannot be just none, which means an empty one; leave it empty, or give another',
      '{setting} não pode ser apenas none, que significa vazio; deixe-o vazio, ou dê outro valor',
    ],
    'settings/at-most': ['be at most {other} ({value})', 'ser no máximo {other} ({value})'],
    'settings/agent': [
      'begin with a name of letters and be plain text of at most 500 characters',
      'começar com um nome de letras e ser texto simples de até 500 caracteres',
    ],
    'settings/one-of': ['be one of {names:list}', 'ser um destes: {names:list}'],
    'CRAWL_BAD_SETTING/wrong': ['{name} must {rule}, not {value}', '{name} deve {rule}, não {value}'],
    'settings/type': ['{name} must be {wanted}, not {given}', '{name} deve ser {wanted}, não {given}'],
    CRAWL_BAD_SETTING: ['{what}', '{what}'],
    CRAWL_BAD_ACTION: ['{what}', '{what}'],
    CRAWL_BAD_OPTIONS: [
      'the options of crawl() have these mistakes:\n{mistakes:lines}',
      'as opções de crawl() têm estes erros:\n{mistakes:lines}',
    ],
    'CRAWL_BAD_OPTIONS/one': ['in the options of crawl(), {mistake}', 'nas opções de crawl(), {mistake}'],
    'settings/item': ['- {mistake}', '- {mistake}'],
    'CRAWL_BAD_SETTING/fixed': [
      '{name} cannot be changed while the crawl runs; stop it and start it again with the new value (these can be changed: {names:list})',
      '{name} não pode ser mudado durante a coleta; pare-a e inicie-a de novo com o novo valor (estes podem ser mudados: {names:list})',
    ],
    'CRAWL_BAD_SETTING/count': [
      '--{option} takes a whole number from {least} up, not {text}',
      '--{option} pede um número inteiro a partir de {least}, não {text}',
    ],
    'CRAWL_BAD_SETTING/count-between': [
      '--{option} takes a whole number from {least} to {most}, not {text}',
      '--{option} pede um número inteiro de {least} a {most}, não {text}',
    ],
    'CRAWL_BAD_SETTING/duration': [
      '--{option} takes a duration such as 250ms, 10s, 2m or 8h, not {text}',
      '--{option} pede uma duração como 250ms, 10s, 2m ou 8h, não {text}',
    ],
    'CRAWL_BAD_SETTING/duration-up-to': [
      '--{option} takes a duration such as 250ms, 10s, 2m or 8h, at most {most}, not {text}',
      '--{option} pede uma duração como 250ms, 10s, 2m ou 8h, no máximo {most}, não {text}',
    ],
    'CRAWL_BAD_SETTING/no-unit': [
      '--{option} {text} has no unit; write {text}s for seconds or {text}ms for milliseconds',
      '--{option} {text} está sem unidade; escreva {text}s para segundos ou {text}ms para milissegundos',
    ],
    'CRAWL_BAD_SETTING/size': [
      '--{option} takes a size such as 500KiB, 10MiB or 50GB, not {text}',
      '--{option} pede um tamanho como 500KiB, 10MiB ou 50GB, não {text}',
    ],
    'CRAWL_BAD_SETTING/size-up-to': [
      '--{option} takes a size such as 500KiB, 10MiB or 50GB, at most {most}, not {text}',
      '--{option} pede um tamanho como 500KiB, 10MiB ou 50GB, no máximo {most}, não {text}',
    ],
    'CRAWL_BAD_SETTING/rate': [
      '--{option} takes a rate such as 200/s or 90/min, not {text}',
      '--{option} pede uma taxa como 200/s ou 90/min, não {text}',
    ],
    'CRAWL_BAD_SETTING/chance': [
      '--{option} takes a number from 0 to 1, not {text}',
      '--{option} pede um número de 0 a 1, não {text}',
    ],
    'range/number-from': ['be a number from {least} up', 'ser um número a partir de {least}'],
    'range/number-between': ['be a number from {least} to {most}', 'ser um número de {least} a {most}'],
    'range/whole-from': ['be a whole number from {least} up', 'ser um número inteiro a partir de {least}'],
    'range/whole-between': ['be a whole number from {least} to {most}', 'ser um número inteiro de {least} a {most}'],
    'settings/unknown': ['there is no option {name}', 'não existe a opção {name}'],
    'settings/unknown-meant': [
      'there is no option {name}; did you mean {meant}?',
      'não existe a opção {name}; você quis dizer {meant}?',
    ],
    'kind/number': ['a number', 'um número'],
    'kind/string': ['a string', 'um texto'],
    'kind/boolean': ['true or false', 'true ou false'],
    'kind/function': ['a function', 'uma função'],
    'kind/list': ['a list', 'uma lista'],
    'kind/map': ['a Map', 'um Map'],
    'kind/object': ['an object', 'um objeto'],
    'kind/signal': ['an AbortSignal', 'um AbortSignal'],
    'kind/nothing': ['null or undefined', 'null nem undefined'],
  }) as const
