import { useEffect, useState } from 'preact/hooks'
import type { PagePath } from '../../page-paths.ts'
import { Dialog } from './dialog.tsx'
import { go } from './router.tsx'
import { words } from './words.ts'

const PAGES: Readonly<Record<string, readonly [PagePath, 'now' | 'hosts' | 'links' | 'pages' | 'why' | 'settings']>> = {
  n: ['/', 'now'],
  h: ['/hosts', 'hosts'],
  l: ['/links', 'links'],
  p: ['/pages', 'pages'],
  w: ['/why', 'why'],
  s: ['/settings', 'settings'],
}
const KEPT_AS = 'escalona-shortcuts'
const PAIR_MS = 1500

/** Shortcuts of single keys, and a dialog that says which there are and turns them off, as WCAG 2.1.4 asks. */
export function Shortcuts() {
  const [isOn, setOn] = useState(areOn)
  const [isOpen, setOpen] = useState(false)
  useEffect(listen, [])
  const change = (on: boolean): void => {
    setOn(on)
    localStorage.setItem(KEPT_AS, on ? 'on' : 'off')
  }
  return (
    <>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        {words().keyboard}
      </button>
      {isOpen ? (
        <Dialog title={words().keyboard} onClose={() => setOpen(false)}>
          <dl class="keys">
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>{words().shortcuts.search}</dd>
            {Object.entries(PAGES).map(([key, [, name]]) => (
              <>
                <dt>
                  <kbd>g</kbd> {words().thenKey} <kbd>{key}</kbd>
                </dt>
                <dd>
                  {words().shortcuts.go} {words().nav[name]}
                </dd>
              </>
            ))}
          </dl>
          <label class="check">
            <input type="checkbox" checked={isOn} onChange={event => change(event.currentTarget.checked)} />
            {words().shortcutsOn}
          </label>
        </Dialog>
      ) : null}
    </>
  )
}

function areOn(): boolean {
  return localStorage.getItem(KEPT_AS) !== 'off'
}

function listen(): () => void {
  let pairAtMs = Number.NEGATIVE_INFINITY
  const hear = (event: KeyboardEvent): void => {
    if (!areOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    const page = event.timeStamp - pairAtMs < PAIR_MS ? PAGES[event.key] : undefined
    pairAtMs = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    if (page !== undefined) go(page[0])
    else if (event.key === '/') {
      const field = document.querySelector<HTMLElement>('[data-search]')
      if (field === null) return
      field.focus()
    } else return
    event.preventDefault()
  }
  document.addEventListener('keydown', hear)
  return () => document.removeEventListener('keydown', hear)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null
}
