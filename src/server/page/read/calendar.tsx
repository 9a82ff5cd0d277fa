import { useState } from 'preact/hooks'
import type { VisitLine } from '../../../replay/reading-room.ts'
import { locale, shownCount } from '../parts/formats.ts'
import { readWords } from './read-words.ts'
import { kindOf } from './stamps.ts'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly visits: readonly { readonly visit: VisitLine; readonly index: number }[]
}

interface CalendarProps {
  readonly visits: readonly VisitLine[]
  /** The index of the visit that is shown; -1: none of them. */
  readonly shown: number
  readonly onChoose: (index: number) => void
}

/** The visits of a page by year, month and day. A day with several of them lists their times. */
export function Calendar({ visits, shown, onChoose }: CalendarProps) {
  const days = daysOf(visits)
  const years = [...new Set(days.map(({ year }) => year))]
  const dayShown = days.find(day => day.visits.some(({ index }) => index === shown))
  const [chosen, setChosen] = useState<number>()
  const year = chosen ?? dayShown?.year ?? years.at(-1)!
  const inYear = days.filter(day => day.year === year)
  // As many as a year has, the newest in sight.
  const months = [...new Set(inYear.map(({ month }) => month))].reverse()
  const choose = (index: number): void => {
    setChosen(undefined)
    onChoose(index)
  }
  return (
    <div class="calendar">
      {years.length === 1 ? null : (
        <fieldset class="years">
          <legend class="hidden">{readWords().year}</legend>
          {years.map(one => (
            <button key={one} type="button" aria-pressed={one === year} onClick={() => setChosen(one)}>
              {one}
            </button>
          ))}
        </fieldset>
      )}
      <div class="months">
        {months.map(month => (
          <Month key={month} year={year} month={month} days={inYear} shown={shown} onChoose={choose} />
        ))}
      </div>
      {dayShown === undefined || dayShown.visits.length === 1 ? null : (
        <Times day={dayShown} shown={shown} onChoose={choose} />
      )}
    </div>
  )
}

interface MonthProps {
  readonly year: number
  readonly month: number
  readonly days: readonly Day[]
  readonly shown: number
  readonly onChoose: (index: number) => void
}

function Month({ year, month, days, shown, onChoose }: MonthProps) {
  const name = new Date(year, month, 1).toLocaleDateString(locale(), { month: 'long', year: 'numeric' })
  const before = (new Date(year, month, 1).getDay() - firstWeekday() + 7) % 7
  const length = new Date(year, month + 1, 0).getDate()
  const visited = new Map(days.filter(day => day.month === month).map(day => [day.day, day]))
  return (
    <table class="month">
      <caption>{name}</caption>
      <thead>
        <tr>
          {WEEK.map(at => (
            <th key={at} scope="col">
              <abbr title={weekday(at, 'long')}>{weekday(at, 'narrow')}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) => (
          <tr key={week}>
            {WEEK.map(at => {
              const number = week * 7 + at - before + 1
              const day = visited.get(number)
              return (
                <td key={at}>
                  {day === undefined ? (
                    <span class="faint">{number < 1 || number > length ? '' : number}</span>
                  ) : (
                    <DayButton day={day} shown={shown} onChoose={onChoose} />
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function DayButton({ day, shown, onChoose }: { day: Day; shown: number; onChoose: (index: number) => void }) {
  const { visits } = day
  const isShown = visits.some(({ index }) => index === shown)
  const date = new Date(day.year, day.month, day.day).toLocaleDateString(locale(), { dateStyle: 'long' })
  const kinds = visits.map(({ visit }) => kindOf(visit))
  const kind = kinds.includes('full') ? 'full' : kinds.includes('same') ? 'same' : 'bad'
  const label = `${readWords().day(date, shownCount(visits.length), visits.length === 1)}, ${readWords().kinds[kind]}`
  return (
    <button
      type="button"
      class={`day ${kind}`}
      aria-label={label}
      title={label}
      aria-pressed={isShown}
      onClick={() => onChoose(visits.at(-1)!.index)}
    >
      {day.day}
      {visits.length === 1 ? null : <sup>{visits.length}</sup>}
    </button>
  )
}

function Times({ day, shown, onChoose }: { day: Day; shown: number; onChoose: (index: number) => void }) {
  return (
    <ul class="times">
      {day.visits.map(({ visit, index }) => (
        <li key={index}>
          <button type="button" class={kindOf(visit)} aria-pressed={index === shown} onClick={() => onChoose(index)}>
            {new Date(visit.dateMs).toLocaleTimeString(locale(), {
              hour: '2-digit',
              minute: '2-digit',
              second: '2-digit',
              hourCycle: 'h23',
            })}
          </button>
        </li>
      ))}
    </ul>
  )
}

function daysOf(visits: readonly VisitLine[]): Day[] {
  const days = new Map<
    string,
    { year: number; month: number; day: number; visits: { visit: VisitLine; index: number }[] }
  >()
  visits.forEach((visit, index) => {
    const date = new Date(visit.dateMs)
    const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
    const name = `${year}-${month}-${day}`
    const known = days.get(name) ?? { year, month, day, visits: [] }
    known.visits.push({ visit, index })
    days.set(name, known)
  })
  return [...days.values()]
}

const WEEK = [0, 1, 2, 3, 4, 5, 6] as const

/** 0 for Sunday. */
function firstWeekday(): number {
  const about = new Intl.Locale(locale()) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return ((about.getWeekInfo?.() ?? about.weekInfo)?.firstDay ?? 1) % 7
}

function weekday(column: number, length: 'long' | 'narrow'): string {
  // 2023 began on a Sunday.
  return new Date(2023, 0, 1 + ((column + firstWeekday()) % 7)).toLocaleDateString(locale(), { weekday: length })
}
