import { printable } from '../base/words/printable.ts'
import type { Story } from '../view/explanation.ts'
import { storyLines } from '../view/explanation-lines.ts'
import { storyWords } from '../view/explanation-words.ts'

/** What `escalona explain` prints about a URL. */
export function shownStory(story: Story): string[] {
  const width = Math.max(13, ...Object.values(storyWords().titles).map(title => title.length + 1))
  return [
    printable(story.url),
    ...storyLines(story).map(({ title, text }) => `  ${`${title}:`.padEnd(width)} ${printable(text)}`),
  ]
}
