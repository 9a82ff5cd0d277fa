import { useEffect, useState } from 'preact/hooks'
import { ApiError, read } from './api.ts'

const SOON_MS = 500

export interface Asked<Answer> {
  /** The newest answer; that to an earlier question stays until there is one. */
  readonly answer: Answer | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  /** Asks again now. */
  readonly again: () => void
}

/**
 * Asks the server, and again every `everyMs` while the page is seen; `path` undefined: asks nothing. `isPartial`: whether an answer is
 * still being made, and worth asking for again soon.
 */
export function useAnswer<Answer>(
  path: string | undefined,
  everyMs?: number,
  isPartial: (answer: Answer) => boolean = () => false,
): Asked<Answer> {
  const [state, setState] = useState<Omit<Asked<Answer>, 'again'>>({
    answer: undefined,
    error: undefined,
    isLoading: path !== undefined,
  })
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (path === undefined) {
      setState({ answer: undefined, error: undefined, isLoading: false })
      return
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      let waitMs = everyMs
      try {
        const answer = await read<Answer>(path, stop.signal)
        setState({ answer, error: undefined, isLoading: false })
        if (isPartial(answer)) waitMs = SOON_MS
      } catch (error) {
        if (stop.signal.aborted) return
        const known = error instanceof ApiError ? error : new ApiError(0, '', String(error))
        setState(({ answer }) => ({ answer: known.status === 0 ? answer : undefined, error: known, isLoading: false }))
        if (known.status === 404) waitMs = undefined
      }
      if (waitMs !== undefined && !stop.signal.aborted) timer = setTimeout(next, waitMs)
    }
    const next = (): void => {
      if (document.hidden) timer = setTimeout(next, everyMs)
      else void ask()
    }
    setState(former => ({ ...former, isLoading: true }))
    void ask()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [path, everyMs, count])
  return { ...state, again: () => setCount(former => former + 1) }
}
