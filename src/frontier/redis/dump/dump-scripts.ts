import { CALL, HOSTS, OFFERING, script } from '../engine/scripts.ts'

/** The scripts of exports and imports; each says what it does at its head. */
export const dumpScripts = {
  head: script('dump-head', CALL, false),
  hosts: script('dump-hosts', HOSTS, false),
  over: script('dump-over', HOSTS, false),
  restoreHosts: script('restore-hosts', OFFERING),
  restoreOver: script('restore-over', OFFERING),
  restoreServers: script('restore-servers', CALL),
  restoreEnd: script('restore-end', CALL),
  beginImport: script('begin-import'),
} as const
