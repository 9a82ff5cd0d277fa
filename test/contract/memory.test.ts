import { runLives, runSentences } from './contract-suite.ts'
import { memoryMaker } from './maker.ts'

runSentences(memoryMaker, 2)
runLives(memoryMaker, ['depth', 'explore'])
