import { unpredictableSeed } from '../base/random.ts'
import { ClassicKernel, REFUSALS, type Refusal, SCHEME } from './classic-kernel.ts'

export type { Refusal } from './classic-kernel.ts'

/** A canonical URL with its host and depth, or why the classic rules refuse it. */
export type ClassicUrl =
  | { readonly kind: 'accepted'; readonly url: string; readonly host: string; readonly depth: number }
  | { readonly kind: 'refused'; readonly reason: Refusal }

/** For single texts; its window is free again after each. */
export const sharedKernel = new ClassicKernel(unpredictableSeed())

/** A final line end is dropped; any other LF counts as a control character. */
export function readClassic(line: string | Uint8Array): ClassicUrl {
  const kernel = sharedKernel
  const end = kernel.put(line)
  if (kernel.scan(kernel.start, end + 1, 1) === 0) {
    return { kind: 'refused', reason: REFUSALS.find(reason => kernel.refused(reason) > 0)! }
  }
  const at = kernel.at[0]!
  const url = SCHEME + kernel.bytes.toString('utf8', at, at + kernel.length[0]!)
  const host = kernel.bytes.toString('utf8', at, at + kernel.hostLength[0]!)
  return { kind: 'accepted', url, host, depth: kernel.depth[0]! }
}
