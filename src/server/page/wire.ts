// What the server sends, by the shapes of its API.
import type { ActionResult, Actions, HostChange, SettingsChange } from '../api/action-shapes.ts'
import type { CrawlNow, CrawlSeries, Settings } from '../api/crawl-shapes.ts'
import type { HostList, HostStory } from '../api/host-shapes.ts'
import type { PageList, PageStory } from '../api/page-shapes.ts'
import type { FrameKey, FrameView, VisitDifference, Visits } from '../api/reading-shapes.ts'
import type { StoryWithLines } from '../api/story-shapes.ts'

export type { NumberedEvent } from '../../view/questions/front-desk.ts'
export type {
  ActionResult,
  Actions,
  CrawlNow,
  CrawlSeries,
  FrameKey,
  FrameView,
  HostChange,
  HostList,
  HostStory,
  PageList,
  PageStory,
  Settings,
  SettingsChange,
  StoryWithLines,
  VisitDifference,
  Visits,
}
export type ActionLine = Actions['items'][number]
export type HostRow = HostList['items'][number]
export type HostOutcome = HostStory['outcomes'][number]
export type RobotsFile = HostStory['robotsFiles'][number]
export type PageLine = PageList['items'][number]
export type VisitLine = Visits['items'][number]
export type DifferenceRow = VisitDifference['rows'][number]
export type SettingView = Settings['items'][number]
