import { catalogue } from '../base/words/language.ts'
import { PATTERN_SETS, type SetName } from '../settings/pattern-sets.ts'

/** What `escalona help patterns` shows. */
export function patternsHelp(): string {
  const { head, like, notLike, rest, sets: about } = words()
  const sets = Object.entries(PATTERN_SETS).map(([name, forms]) => {
    const examples = forms.flatMap(form => [
      `    ${like} ${form.like}\n`,
      ...(form.unlike === undefined ? [] : [`    ${notLike} ${form.unlike}\n`]),
    ])
    return `\n${name}  ${about[name as SetName]}\n${examples.join('')}`
  })
  return head + sets.join('') + rest
}

interface Texts {
  readonly head: string
  readonly like: string
  readonly notLike: string
  readonly rest: string
  readonly sets: Readonly<Record<SetName, string>>
}

const words = catalogue<Texts>({
  en: {
    head: `Examples
  escalona crawl ufmg.br --exclude '*.pdf' --exclude '*/private/*'
  escalona crawl forum.example.org --exclude @calendars,@sessions,@forums
  escalona resume crawl --include 'https://*.ufmg.br/*'

A pattern describes a whole URL as it is in pages.jsonl: * matches any text, also none; everything
else matches itself, in the same case. A name with @ is one of these sets. A set matches URLs of
several forms, in any case; each has an example here, and one that looks alike but does not match.
`,
    sets: {
      '@calendars': 'views of a calendar by year, month, week or day, which lead to the next one for ever',
      '@sessions': 'session ids, which make another URL of the same page for every visitor',
      '@forums': 'what a forum has besides its topics: replies, logins, profiles, searches, print views, single posts',
    },
    like: 'matches  ',
    notLike: 'but not  ',
    rest: `
escalona explain DIR URL says which pattern or set keeps a URL out. Patterns never keep a seed out.
`,
  },
  pt: {
    head: `Exemplos
  escalona crawl ufmg.br --exclude '*.pdf' --exclude '*/privado/*'
  escalona crawl forum.example.org --exclude @calendars,@sessions,@forums
  escalona resume crawl --include 'https://*.ufmg.br/*'

Um padrão descreve uma URL inteira, como está em pages.jsonl: * é qualquer texto, também nenhum; o
resto vale por si, com as mesmas maiúsculas. Um nome com @ é um destes conjuntos. Um conjunto casa
com URLs de várias formas, sem distinguir maiúsculas; cada uma tem aqui um exemplo, e um parecido que não casa.
`,
    sets: {
      '@calendars': 'visões de um calendário por ano, mês, semana ou dia, que levam sem fim à seguinte',
      '@sessions': 'identificadores de sessão, que dão à mesma página outra URL a cada visitante',
      '@forums': 'o que um fórum tem além dos tópicos: respostas, logins, perfis, buscas, impressão, mensagens avulsas',
    },
    like: 'casa     ',
    notLike: 'mas não  ',
    rest: `
escalona explain DIR URL diz que padrão ou conjunto deixa uma URL de fora. Padrões nunca deixam de fora uma semente.
`,
  },
})
