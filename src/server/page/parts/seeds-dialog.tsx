import { useId, useState } from 'preact/hooks'
import { act } from './api.ts'
import { Dialog } from './dialog.tsx'
import { perform } from './notices.tsx'
import { words } from './words.ts'

/** Asks for more seeds. `first`: what the field begins with. */
export function SeedsDialog({ first = '', onClose }: { first?: string; onClose: () => void }) {
  const [text, setText] = useState(first)
  const id = useId()
  const add = (): Promise<void> => {
    const urls = text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
    if (urls.length === 0) throw new Error(words().noUrl)
    return perform(() => act.addSeeds(urls), '')
  }
  return (
    <Dialog title={words().addSeeds} yes={words().add} onYes={async () => add()} onClose={onClose}>
      <label for={id}>{words().seedsLabel}</label>
      <textarea
        id={id}
        rows={6}
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
        placeholder="https://example.org/"
      />
      <p id={`${id}-hint`} class="faint">
        {words().seedsHint}
      </p>
    </Dialog>
  )
}
