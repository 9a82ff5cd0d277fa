import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { excerpt } from '../../../base/words/printable.ts'
import { act } from './api.ts'
import { perform } from './notices.tsx'
import { words } from './words.ts'

interface DialogProps {
  readonly title: ComponentChildren
  /** Undefined: nothing is decided here, it can only be closed. */
  readonly yes?: string
  readonly isGrave?: boolean
  readonly onYes?: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * A question in front of the page: the browser keeps the focus inside, Escape closes it, and the focus goes back to where it was.
 * `onYes` may take its time; its error is shown and the dialog stays.
 */
export function Dialog({ title, yes, isGrave = false, onYes, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const isClosed = useRef(false)
  useEffect(() => dialog.current?.showModal(), [])
  /** At once, and only once: the browser's own `close` comes late, when another dialog may be open already. */
  const close = (): void => {
    if (isClosed.current) return
    isClosed.current = true
    dialog.current?.close()
    onClose()
  }
  const cancel = (event: Event): void => {
    event.preventDefault()
    close()
  }
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (onYes === undefined) return close()
    setBusy(true)
    setError('')
    try {
      await onYes()
      close()
    } catch (failure) {
      setError((failure as Error).message)
      setBusy(false)
    }
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancel} onClose={close}>
      <form onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {children}
        <p class="error" role="alert">
          {error}
        </p>
        <div class="buttons">
          {yes === undefined ? null : (
            <button type="submit" class={isGrave ? 'grave' : 'primary'} disabled={isBusy}>
              {yes}
            </button>
          )}
          <button type="button" onClick={close}>
            {yes === undefined ? words().close : words().cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Asks for more seeds. `first`: what the field begins with. */
export function SeedsDialog({ first = '', onClose }: { first?: string; onClose: () => void }) {
  const [text, setText] = useState(first)
  const id = useId()
  const add = async (): Promise<void> => {
    const urls = text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
    if (urls.length === 0) throw new Error(words().noUrl)
    const { refused = [] } = await perform(() => act.addSeeds(urls), '')
    if (refused.length === 0) return
    // Those that remain are the wrong ones, to be corrected.
    setText(refused.map(({ place }) => urls[place - 1]).join('\n'))
    const lines = refused.map(({ url, reason }, at) => words().badLine(at + 1, excerpt(url, 100), reason))
    throw new Error([words().othersAdded, ...lines].join('\n'))
  }
  return (
    <Dialog title={words().addSeeds} yes={words().add} onYes={add} onClose={onClose}>
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
