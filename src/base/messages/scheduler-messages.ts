export const schedulerMessages = () =>
  ({
    'GENERATE_BAD_SHAPE/whole-number': [
      '{name} is a whole number from {least} to {most}; change {value}',
      '{name} é um número inteiro de {least} a {most}; mude {value}',
    ],
    'GENERATE_BAD_SHAPE/any-number': [
      '{name} is a number from {least} to {most}; change {value}',
      '{name} é um número de {least} a {most}; mude {value}',
    ],
    'GENERATE_BAD_SHAPE/too-many': [
      '{hosts} hosts with {urls} URLs each are more than {most} URLs; ask for fewer',
      '{hosts} hosts com {urls} URLs cada são mais de {most} URLs; peça menos',
    ],
    SCHEDULER_BAD_STRATEGY: [
      'there is no strategy {name}; choose {names:list}',
      'não existe a estratégia {name}; escolha {names:list}',
    ],
    SCHEDULER_BAD_URL: [
      'a URL is a string or bytes; give url.href of a URL object',
      'uma URL é um texto ou bytes; de um objeto URL, passe url.href',
    ],
    SCHEDULER_CHANGED: [
      'the scheduler changed while urls() was being read; copy the list first, with [...urls(host)]',
      'o escalonador mudou enquanto urls() era lido; copie a lista antes, com [...urls(host)]',
    ],
    SCHEDULER_BAD_LIMIT: [
      '{max} URLs cannot be scheduled; give a number from 0 up',
      'não é possível escalonar {max} URLs; dê um número a partir de 0',
    ],
    SCHEDULER_FULL: [
      'the waiting URLs fill 4 GiB; schedule some before you add more',
      'as URLs em espera ocupam 4 GiB; escalone algumas antes de acrescentar outras',
    ],
    'SCHEDULER_FULL/no-memory': [
      'the system has no more memory for waiting URLs; schedule some before you add more',
      'o sistema não tem mais memória para URLs em espera; escalone algumas antes de acrescentar outras',
    ],
    URL_NO_KERNEL: [
      'classic.wasm is missing beside the code of escalona; a bundler has to leave the package out: esbuild --external:escalona',
      'falta classic.wasm ao lado do código do escalona; um empacotador deve deixar o pacote de fora: esbuild --external:escalona',
    ],
    'script/needs': ['{name} needs {missing}; write {example}', '{name} precisa de {missing}; escreva {example}'],
    'script/takes-nothing': ['{name} takes nothing; remove {extra}', '{name} não recebe nada; retire {extra}'],
    'script/takes-only': [
      '{name} takes only {wanted}; remove {extra}',
      '{name} recebe apenas {wanted}; retire {extra}',
    ],
    'script/not-a-number': [
      '{word} is not a whole number from 0 up; write {example}',
      '{word} não é um número inteiro a partir de 0; escreva {example}',
    ],
    'script/unknown-command': [
      'unknown command {word}; the commands are {names:list}',
      'comando desconhecido {word}; os comandos são {names:list}',
    ],
    'script/swallowed': [
      'ADD_URLS took this {name} as one of its URLs and refused it; is the number behind ADD_URLS too large?',
      'ADD_URLS leu este {name} como uma das suas URLs e o recusou; o número depois de ADD_URLS é grande demais?',
    ],
    'script/with-urls': [
      '{mistake} {urls?The URL after it is|The # URLs after it are} skipped with it',
      '{mistake} {urls?A URL seguinte foi pulada|As # URLs seguintes foram puladas} com ele',
    ],
    'script/did-you-mean': [
      'unknown command {word}; did you mean {name}?',
      'comando desconhecido {word}; você quis dizer {name}?',
    ],
    SCRIPT_THREAD_LOST: [
      'the thread that reads the file ended ({why}); run the command again',
      'a thread que lê o arquivo terminou ({why}); execute o comando de novo',
    ],
    'script/cut-off': [
      'ADD_URLS is cut off: the file ends after {urls?1 URL|# URLs}; correct the number',
      'ADD_URLS está incompleto: o arquivo termina depois de {urls?1 URL|# URLs}; corrija o número',
    ],
    ANALYSIS_BAD_LOG: ['{what}', '{what}'],
    'analysis/endless': ['the line does not end', 'a linha não termina'],
    'analysis/empty': [
      'it is empty; record one with escalona FILE -l access.log',
      'está vazio; grave um com escalona ARQUIVO -l access.log',
    ],
    'analysis/not-a-log': [
      'an access log begins with I; record one with escalona FILE -l access.log',
      'um registro de acessos começa com I; grave um com escalona ARQUIVO -l access.log',
    ],
    'analysis/after-end': ['there is more after the line F', 'há mais linhas depois da linha F'],
    'analysis/second-log': ['I again: these are two logs', 'I de novo: são dois registros'],
    'analysis/bad-letter': [
      'a line begins with L, E or F, not with {line}',
      'uma linha começa com L, E ou F, não com {line}',
    ],
    'analysis/no-phase': ['there is no phase {phase}', 'não existe a fase {phase}'],
    'analysis/no-id': ['there is no id {id}', 'não existe o id {id}'],
    'analysis/few-fields': ['it has {fields} fields instead of {wanted}', 'tem {fields} campos em vez de {wanted}'],
    'analysis/damaged-field': ['field {field} is damaged', 'o campo {field} está danificado'],
    'analysis/not-a-number': ['field {field} is not a number', 'o campo {field} não é um número'],
    'analysis/too-large': ['field {field} is too large', 'o campo {field} é grande demais'],
    'analysis/many-fields': ['it has more than {wanted} fields', 'tem mais de {wanted} campos'],
    ANALYSIS_TOO_MANY_STACKS: [
      'the log has more than {most:count} pairs of phase and id; record fewer structures',
      'o registro tem mais de {most:count} pares de fase e id; registre menos estruturas',
    ],
  }) as const
