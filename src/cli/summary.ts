import type { ScriptResult } from '../script/run-script.ts'

/** What a run did, in a few words. */
export function summary({ counts, mistakes }: ScriptResult, elapsedMs: number): string {
  const { protocol, malformed, extension } = counts.refused
  const refused = protocol + malformed + extension
  const parts = [
    `${n(counts.read, 'URL')} read`,
    `${n(counts.accepted)} accepted`,
    `${n(counts.duplicates, 'duplicate')}`,
    `${n(refused)} refused (protocol ${n(protocol)}, malformed ${n(malformed)}, extension ${n(extension)})`,
    `${n(counts.scheduled)} scheduled`,
    `${n(counts.hosts, 'host')}`,
    `${(elapsedMs / 1000).toFixed(2)} s`,
    ...(mistakes > 0 ? [`${n(mistakes, 'mistake')} in the input`] : []),
  ]
  return `escalona: ${parts.join(', ')}\n`
}

function n(count: number, unit?: string): string {
  const number = count.toLocaleString('en-US')
  return unit === undefined ? number : `${number} ${unit}${count === 1 ? '' : 's'}`
}
