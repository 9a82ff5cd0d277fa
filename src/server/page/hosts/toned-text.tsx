import type { Toned } from './host-texts.ts'

export function TonedText({ text, note, tone }: Toned) {
  return (
    <span class={tone ?? ''}>
      {text}
      {note === undefined ? null : <small class="faint"> {note}</small>}
    </span>
  )
}
