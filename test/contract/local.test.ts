import { runContract } from './contract-suite.ts'
import { folderMaker } from './maker.ts'

runContract(folderMaker)
