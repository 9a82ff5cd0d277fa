import { printable } from '../base/words/printable.ts'
import type { Story } from '../crawl/reading/story.ts'
import { storyLines } from '../crawl/reading/story-lines.ts'
import { storyWords } from '../crawl/reading/story-words.ts'

/** What `escalona explain` prints about a URL. */
export function shownStory(story: Story): string[] {
  const width = Math.max(13, ...Object.values(storyWords().titles).map(title => title.length + 1))
  return [
    printable(story.url),
    ...storyLines(story).map(({ title, text }) => `  ${`${title}:`.padEnd(width)} ${printable(text)}`),
  ]
}
