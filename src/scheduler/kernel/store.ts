// What the scheduler does with very many URLs at a time, in AssemblyScript compiled to WebAssembly: there, nothing has to be
// warmed up, and many waits for memory overlap. store-memory.ts beside this folder is the only caller.
export { findHost, know, longNameBytes, nameAt, nameLength } from './hosts'
export { writeLines, writeNames } from './lines'
export { depthOf, greatestDepth, largestHost, placeByDepth, placeByHost, spread } from './order'
export { add, leave, rehash } from './urls'
