// Escalona's own frontier, in a folder or in memory.
import { library } from '../measured.mjs'

const { openLocal } = await library()

export const takesAtOnce = 1000

export const open = (folder, clock) => openLocal({ clock, ...(folder !== undefined && { folder }) })
