// The live page's server: what it says to browsers and programs, and about its own start.
export const serverMessages = () =>
  ({
    UI_NO_TOKEN: [
      'the token is missing or wrong; open the address that escalona printed when it started, or send the header Authorization: Bearer TOKEN',
      'o token falta ou está errado; abra o endereço que o escalona mostrou ao iniciar, ou envie o cabeçalho Authorization: Bearer TOKEN',
    ],
    UI_TOO_MANY_TOKENS: [
      'too many wrong tokens; wait a few seconds and try again',
      'tokens errados demais; espere alguns segundos e tente de novo',
    ],
    UI_WRONG_HOST: [
      'this server does not answer under this name; use its IP address or localhost',
      'este servidor não responde por este nome; use o endereço IP dele ou localhost',
    ],
    UI_FOREIGN_ORIGIN: [
      'this request comes from another site; open the live page itself, or use a program with the token',
      'esta requisição vem de outro site; abra a própria página, ou use um programa com o token',
    ],
    UI_NO_SUCH_ROUTE: [
      'there is nothing at this address; GET /openapi.json describes what there is',
      'não há nada neste endereço; GET /openapi.json descreve o que há',
    ],
    UI_WRONG_METHOD: [
      'this address answers {methods} only; see GET /openapi.json',
      'este endereço só responde a {methods}; veja GET /openapi.json',
    ],
    UI_BAD_REQUEST: ['{mistake}; see GET /openapi.json', '{mistake}; veja GET /openapi.json'],
    'server/body': ['the body', 'o corpo'],
    'server/missing': ['{name} is missing', '{name} está faltando'],
    'server/twice': ['{name} is given more than once', '{name} aparece mais de uma vez'],
    'server/unexpected': ['{name} is unknown; remove it', '{name} é desconhecido; retire-o'],
    'server/not-number': ['{name} must be a whole number from 0 up', '{name} deve ser um número inteiro a partir de 0'],
    'server/not-flag': ['{name} must be true or false', '{name} deve ser true ou false'],
    'server/type': ['{name} must be of the JSON type {type}', '{name} deve ser do tipo JSON {type}'],
    'server/one-of': ['{name} must be one of {names}', '{name} deve ser um destes: {names}'],
    'server/at-least': ['{name} must be at least {limit}', '{name} deve ser no mínimo {limit}'],
    'server/at-most': ['{name} must be at most {limit}', '{name} deve ser no máximo {limit}'],
    'server/too-short': ['{name} is too short: at least {limit}', '{name} é curto demais: no mínimo {limit}'],
    'server/too-long': ['{name} is too long: at most {limit}', '{name} é longo demais: no máximo {limit}'],
    'server/wrong-value': ['{name} has a wrong value', '{name} tem um valor errado'],
    UI_NOT_JSON: [
      'send the body as JSON, with the header Content-Type: application/json',
      'envie o corpo como JSON, com o cabeçalho Content-Type: application/json',
    ],
    'server/broken-json': ['the body is not valid JSON', 'o corpo não é JSON válido'],
    UI_TOO_LARGE: ['the body is larger than 1 MiB; send it in parts', 'o corpo tem mais de 1 MiB; envie-o em partes'],
    UI_NO_SUCH_HOST: [
      'this crawl does not know the host {host}; GET /api/hosts?q=… finds hosts by name',
      'esta coleta não conhece o host {host}; GET /api/hosts?q=… acha hosts pelo nome',
    ],
    UI_NO_SUCH_PAGE: [
      'there is no archived page of {url}; GET /api/explain?url=… says why',
      'não há página arquivada de {url}; GET /api/explain?url=… diz por quê',
    ],
    UI_NO_SUCH_FRAME: [
      'the frame with this key shows nothing yet; open /at/KEY/page/STAMP/URL in it',
      'o quadro com esta chave ainda não mostra nada; abra nele /at/KEY/page/STAMP/URL',
    ],
    UI_NO_SUCH_CRAWL: [
      'this server shows no crawl of this name; GET /api/crawls lists those that it shows',
      'este servidor não mostra nenhuma coleta com este nome; GET /api/crawls lista as que ele mostra',
    ],
    UI_SEVERAL_CRAWLS: [
      'this server shows several crawls, each under /crawls/NAME; GET /api/crawls lists them',
      'este servidor mostra várias coletas, cada uma em /crawls/NOME; GET /api/crawls as lista',
    ],
    UI_NO_REPORT: [
      'the crawl has written no report yet; it follows soon after its first page',
      'a coleta ainda não escreveu um relatório; ele vem logo depois da primeira página',
    ],
    UI_TOO_MANY_STREAMS: [
      'too many event streams are open; close some and try again',
      'há fluxos de eventos demais abertos; feche alguns e tente de novo',
    ],
    UI_STARTING: [
      'the crawl is being opened; try again in a moment',
      'a coleta está sendo aberta; tente de novo em instantes',
    ],
    UI_DEFECT: [
      'the server failed to answer; this is a bug in Escalona, please report it',
      'o servidor não conseguiu responder; isto é um defeito do Escalona, por favor avise',
    ],
    'UI_DEFECT/start': ['{reason}', '{reason}'],
    UI_PORT_TAKEN: [
      'port {port} is in use; choose another, or leave the port out for a free one',
      'a porta {port} está em uso; escolha outra, ou omita a porta para usar uma livre',
    ],
    UI_CANNOT_LISTEN: [
      'cannot listen on {address}: {reason}; choose another address or port',
      'não é possível escutar em {address}: {reason}; escolha outro endereço ou porta',
    ],
    'server/answer-failed': [
      'the live page could not answer: {reason}; this is a bug in Escalona, please report it',
      'a página ao vivo não conseguiu responder: {reason}; isto é um defeito do Escalona, por favor avise',
    ],
    'server/not-loaded': [
      'the live page could not be loaded: {reason}; look at the crawl in another process, with: escalona ui DIR',
      'não foi possível carregar a página ao vivo: {reason}; veja a coleta em outro processo, com: escalona ui DIR',
    ],
    'server/nothing-to-show': [
      'the live page has nothing to show: {reason}',
      'a página ao vivo não tem o que mostrar: {reason}',
    ],
    'server/thread-died': [
      'the live page has ended: {reason}; the crawl goes on',
      'a página ao vivo terminou: {reason}; a coleta continua',
    ],
  }) as const
