export const fetchMessages = () =>
  ({
    FETCH_BAD_URL: [
      'cannot fetch {url}; pass a canonical http or https URL, as webUrl returns it',
      'não é possível buscar {url}; passe uma URL http ou https canônica, como as que webUrl devolve',
    ],
    FETCH_BAD_AGENT: [
      '"{agent}" can\'t be a user agent; write it in plain ASCII',
      '"{agent}" não pode ser um user agent; escreva-o em ASCII simples',
    ],
    'FETCH_BAD_HOSTS/too-large': [
      'the hosts file is over 64 MiB; shorten it',
      'o arquivo de hosts tem mais de 64 MiB; encurte-o',
    ],
    'fetch/not-an-address': ['"{text}" is not an address', '"{text}" não é um endereço'],
    'fetch/name-too-long': ['a name is longer than {most} characters', 'um nome tem mais de {most} caracteres'],
    FETCH_BAD_HOSTS: [
      'line {line} of the hosts file: {what}; write lines such as 127.0.0.1 a.example b.example',
      'linha {line} do arquivo de hosts: {what}; escreva linhas como 127.0.0.1 a.example b.example',
    ],
    FETCH_BAD_DNS: [
      '"{text}" is not a DNS server; write an address such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53',
      '"{text}" não é um servidor DNS; escreva um endereço como 9.9.9.9, 127.0.0.1:5353 ou [2620:fe::fe]:53',
    ],
    FETCH_BAD_NETWORK: [
      '"{text}" is not a network; write an address and a prefix length, such as 10.0.0.0/8 or fd00::/8',
      '"{text}" não é uma rede; escreva um endereço e o tamanho do prefixo, como 10.0.0.0/8 ou fd00::/8',
    ],
    'CRAWL_BAD_SETTING/host': [
      '"{host}" is not a host; write example.org, example.org:8443, *.example.org, or http://example.org',
      '"{host}" não é um host; escreva example.org, example.org:8443, *.example.org ou http://example.org',
    ],
    'FETCH_BAD_HEADER/name': [
      '"{name}" is not a header name; write Name: value',
      '"{name}" não é o nome de um cabeçalho; escreva Nome: valor',
    ],
    'FETCH_BAD_HEADER/forbidden': [
      'the header {name} is set by Escalona itself; leave it out',
      'o cabeçalho {name} é definido pelo próprio Escalona; retire-o',
    ],
    'FETCH_BAD_HEADER/value': [
      'the value of the header {name} is empty, too long, or holds a line break or another control character; write plain text on one line',
      'o valor do cabeçalho {name} está vazio, é longo demais, ou contém uma quebra de linha ou outro caractere de controle; escreva texto simples em uma linha',
    ],
    'FETCH_BAD_HEADER/too-long': [
      'the headers for {host} are longer than 8 KiB in all; shorten them',
      'os cabeçalhos para {host} têm juntos mais de 8 KiB; encurte-os',
    ],
    FETCH_BAD_PROXY: [
      '"{shown}" is not a proxy; write http://host:port or https://host:port, with user:password@ before the host if it needs them',
      '"{shown}" não é um proxy; escreva http://host:porta ou https://host:porta, com usuário:senha@ antes do host se ele exigir',
    ],
    FETCH_PROXY_LOGIN: [
      'the proxy {shown:list} requires a user name and a password, or rejects those it was given; write --proxy http://user:password@host:port',
      'o proxy {shown:list} exige usuário e senha, ou recusou os que recebeu; escreva --proxy http://usuario:senha@host:porta',
    ],
    'FETCH_BAD_CA/none': [
      'the file of --ca has no certificate; it takes PEM, with lines such as -----BEGIN CERTIFICATE-----',
      'o arquivo de --ca não tem certificado; ele deve ser PEM, com linhas como -----BEGIN CERTIFICATE-----',
    ],
    'FETCH_BAD_CA/damaged': [
      'certificate {place} in the file of --ca is damaged; export it again as PEM',
      'o certificado {place} do arquivo de --ca está danificado; exporte-o de novo como PEM',
    ],
    ROBOTS_BLOCK_FOREIGN: [
      'these bytes are no compiled robots.txt; compile the file again',
      'estes bytes não são um robots.txt compilado; compile o arquivo de novo',
    ],
    ROBOTS_BLOCK_VERSION: [
      'this robots.txt was compiled by another version of escalona; compile the file again',
      'este robots.txt foi compilado por outra versão do escalona; compile o arquivo de novo',
    ],
    ROBOTS_BLOCK_DAMAGED: [
      'this compiled robots.txt is damaged; compile the file again',
      'este robots.txt compilado está danificado; compile o arquivo de novo',
    ],
  }) as const
