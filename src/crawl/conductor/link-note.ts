/** What a link carries along: the page it was found on, how many redirects led to it, and whose robots.txt it is. */
export interface LinkNote {
  readonly from?: string
  readonly redirects?: number
  /** The origin whose robots.txt this is; a robots.txt may redirect to another host. */
  readonly robotsOf?: string
}

export function writeNote(note: LinkNote): string {
  return JSON.stringify(note)
}

/** Returns an empty note when there is none, or when another version wrote it. */
export function readNote(text: string | undefined): LinkNote {
  if (text === undefined) return {}
  try {
    const { from, redirects, robotsOf } = JSON.parse(text) as Record<string, unknown>
    return {
      ...(typeof from === 'string' && { from }),
      ...(typeof redirects === 'number' && { redirects }),
      ...(typeof robotsOf === 'string' && { robotsOf }),
    }
  } catch {
    return {}
  }
}
