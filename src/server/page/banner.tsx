import { folderOf } from './parts/formats.ts'
import type { Live } from './parts/live.ts'
import { words } from './parts/words.ts'

/** What keeps the page from being up to date, and what to run. */
export function Banner({ live: { connection, now } }: { live: Live }) {
  const folder = folderOf(now)
  if (connection === 'denied') return <Warning text={words().denied} hint={words().deniedHint} />
  if (connection === 'lost') return <Warning text={words().lost} hint={words().lostHint(folder)} />
  return null
}

function Warning({ text, hint }: { text: string; hint: string }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        {text} <span class="command">{hint}</span>
      </p>
    </div>
  )
}
