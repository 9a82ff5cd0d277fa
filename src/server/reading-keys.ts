import { createHmac } from 'node:crypto'
import { unguessable } from '../base/random.ts'
import type { FrameView } from '../replay/reading-room.ts'
import { isSame } from './token.ts'

/** Of how many frames it is known what they show. */
const MOST_FRAMES = 256

/**
 * Keys to archived content. A document in a sandbox has an origin that equals no other, so it asks for its style sheets and images
 * without the cookie; the key in the path says that somebody may see them who had the cookie. It opens nothing else, and ends
 * with the process. Each frame has its own: so the page around a frame, which may not look into it, can ask what it shows.
 */
export class ReadingKeys {
  private readonly secret: string
  private readonly views = new Map<string, FrameView>()

  constructor(secret: string) {
    this.secret = secret
  }

  make(): string {
    const name = unguessable()
    return `${name}.${this.signOf(name)}`
  }

  isKey(given: string): boolean {
    const [name = '', sign = ''] = given.split('.')
    return isSame(sign, this.signOf(name))
  }

  /** The frame with this key shows something else now. */
  note(key: string, view: FrameView): void {
    this.views.delete(key)
    this.views.set(key, view)
    if (this.views.size > MOST_FRAMES) this.views.delete(this.views.keys().next().value!)
  }

  /** What the frame with this key shows; undefined when it has shown nothing, or too many others have since. */
  viewOf(key: string): FrameView | undefined {
    return this.views.get(key)
  }

  private signOf(name: string): string {
    return createHmac('sha256', this.secret).update(name).digest('base64url').slice(0, 22)
  }
}
