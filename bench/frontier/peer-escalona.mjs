// Escalona's own frontier, in a folder or in memory.
import { openLocal } from '../../dist/index.js'

export const takesAtOnce = 1000

export const open = folder => openLocal(folder === undefined ? {} : { folder })
