import { catalogue } from '../base/words/language.ts'

/** What the reading room says inside the frame. */
export const words = catalogue({
  en: {
    frame: 'Frame',
    leadsTo: 'This page led on by itself to:',
    missingTitle: 'Not in the archive',
    missing: 'This crawl has no answer from this address:',
    circleTitle: 'It leads in a circle',
    circle: 'The archived redirects lead on and on, the last time to:',
    missingHint: 'The bar above has the way to the live web, and says why it was not fetched.',
    noBodyTitle: 'Only its head is in the archive',
    noBody: (status: string, type: string) =>
      `The answer had status ${status} and type ${type}. Its content was not kept.`,
    otherTitle: 'Nothing to show here',
    other: (type: string, bytes: string) =>
      `This is ${type}, ${bytes}. It is not opened in the browser; escalona cat writes it to a file.`,
    unreadableTitle: 'It cannot be read',
    unreadable: (why: string) => `The record of this answer cannot be read: ${why}`,
    unknownType: 'of an unknown type',
    image: 'Archived image',
  },
  pt: {
    frame: 'Quadro',
    leadsTo: 'Esta página levava sozinha a:',
    missingTitle: 'Não está no arquivo',
    missing: 'Esta coleta não tem resposta deste endereço:',
    circleTitle: 'Leva em círculo',
    circle: 'Os redirecionamentos arquivados levam sempre adiante, por último a:',
    missingHint: 'A barra acima tem o caminho para a web de agora, e diz por que não foi coletado.',
    noBodyTitle: 'Só o cabeçalho está no arquivo',
    noBody: (status, type) => `A resposta tinha status ${status} e tipo ${type}. O conteúdo não foi guardado.`,
    otherTitle: 'Nada a mostrar aqui',
    other: (type, bytes) => `Isto é ${type}, ${bytes}. Não é aberto no navegador; escalona cat o grava num arquivo.`,
    unreadableTitle: 'Não pode ser lido',
    unreadable: why => `O registro desta resposta não pode ser lido: ${why}`,
    unknownType: 'de tipo desconhecido',
    image: 'Imagem arquivada',
  },
})
