import { script } from './scripts.ts'

/** The scripts of exports and imports; each says what it does at its head. */
export const dumpScripts = {
  head: script('dump-head', ['call'], false),
  hosts: script('dump-hosts', ['call', 'hosts'], false),
  over: script('dump-over', ['call', 'hosts'], false),
  restoreHosts: script('restore-hosts', ['call', 'hosts', 'offering']),
  restoreOver: script('restore-over', ['call', 'hosts', 'offering']),
  restoreServers: script('restore-servers', ['call']),
  restoreEnd: script('restore-end', ['call']),
  beginImport: script('begin-import'),
} as const
