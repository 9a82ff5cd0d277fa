import { runContract } from './contract-suite.ts'
import { oracleMaker } from './oracle-maker.ts'

runContract(oracleMaker)
