import { render } from 'preact'
import { languageOf, setLanguage } from '../../base/words/language.ts'
import { CRAWLS_PATH } from '../page-paths.ts'
import { App } from './app.tsx'
import { liveStream } from './parts/live.ts'

const wanted = navigator.languages.find(name => /^(?:en|pt)\b/i.test(name))
setLanguage(languageOf(wanted))
document.documentElement.lang = languageOf(wanted) === 'pt' ? 'pt-BR' : 'en'
// The list of crawls is about no one crawl.
if (location.pathname !== CRAWLS_PATH) liveStream.start()
render(<App />, document.getElementById('app')!)
