import { runContract } from './contract-suite.ts'
import { memoryMaker } from './maker.ts'

runContract(memoryMaker)
