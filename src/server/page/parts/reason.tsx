import { excerpt } from '../../../base/words/printable.ts'
import { aboutReason } from '../../../settings/reasons.ts'
import { To } from './router.tsx'
import { WebText } from './web-text.tsx'

const MOST_CHARS = 200

/** What a reason means, as one sentence without its period. Its name may come from another version, or from anywhere. */
export function reasonSentence(reason: string): string {
  return excerpt(aboutReason(reason).sentence.replace(/\.$/, ''), MOST_CHARS)
}

/** A reason as a sentence, with its name as a hint; leads to all links that ended for it. */
export function ReasonLink({ reason }: { reason: string }) {
  return (
    <To path="/links" query={{ reason }} title={excerpt(reason, MOST_CHARS)}>
      <WebText text={reasonSentence(reason)} most={MOST_CHARS} />
    </To>
  )
}
