import { runLives, runSentences } from './contract-suite.ts'
import { folderMaker } from './maker.ts'

runSentences(folderMaker, 0)
runLives(folderMaker, ['breadth', 'best'])
