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
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (onYes === undefined) return onClose()
    setBusy(true)
    setError('')
    try {
      await onYes()
      dialog.current?.close()
    } catch (failure) {
      setError((failure as Error).message)
      setBusy(false)
    }
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
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
          <button type="button" onClick={() => dialog.current?.close()}>
            {yes === undefined ? words().close : words().cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
