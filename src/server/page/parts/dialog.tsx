import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from './words.ts'

/**
 * A question in front of the page: the browser keeps the focus inside, Escape closes it, and the focus goes back to where it was.
 * `onYes` may take its time; its error is shown and the dialog stays.
 */
export function Dialog({
  title,
  yes,
  isGrave = false,
  onYes,
  onClose,
  children,
}: {
  title: ComponentChildren
  /** Undefined: nothing is decided here, it can only be closed. */
  yes?: string
  /** It cannot be undone. */
  isGrave?: boolean
  onYes?: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}) {
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
