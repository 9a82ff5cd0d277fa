import { runLives, runSomeSentences } from './contract-suite.ts'
import { folderMaker } from './maker.ts'

runSomeSentences(folderMaker, 0)
runLives(folderMaker)
