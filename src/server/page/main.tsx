import { render } from 'preact'
import { languageOf, setLanguage } from '../../base/words/language.ts'
import { App } from './app.tsx'
import { liveStream } from './parts/live.ts'

const wanted = navigator.languages.find(name => /^(?:en|pt)\b/i.test(name))
setLanguage(languageOf(wanted))
document.documentElement.lang = languageOf(wanted) === 'pt' ? 'pt-BR' : 'en'
liveStream.start()
render(<App />, document.getElementById('app')!)
