import { runSentences } from './contract-suite.ts'
import { oracleMaker } from './oracle-maker.ts'

runSentences(oracleMaker, 3)
