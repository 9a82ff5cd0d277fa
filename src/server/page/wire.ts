// What the server sends, by the shapes of its API.
import type {
  ActionDone,
  Actions,
  HostChange as HostQuestion,
  SettingsChange,
} from '../../view/questions/action-shapes.ts'
import type { CrawlNow, CrawlSeries, Settings } from '../../view/questions/crawl-shapes.ts'
import type { Explained } from '../../view/questions/explained-shapes.ts'
import type { HostDetails, HostList } from '../../view/questions/host-shapes.ts'
import type { PageDetails, PageList } from '../../view/questions/page-shapes.ts'
import type { FrameKey, FrameView, VisitDifference, Visits } from '../api/reading-shapes.ts'

export type { NumberedEvent } from '../../view/questions/facts.ts'
export type {
  ActionDone,
  Actions,
  CrawlNow,
  CrawlSeries,
  Explained,
  FrameKey,
  FrameView,
  HostDetails,
  HostList,
  PageDetails,
  PageList,
  Settings,
  SettingsChange,
  VisitDifference,
  Visits,
}
export type HostChange = Omit<HostQuestion, 'host'>
export type ActionLine = Actions['items'][number]
export type HostRow = HostList['items'][number]
export type HostOutcome = HostDetails['outcomes'][number]
export type RobotsFile = HostDetails['robotsFiles'][number]
export type PageLine = PageList['items'][number]
export type VisitLine = Visits['items'][number]
export type DifferenceRow = VisitDifference['rows'][number]
export type SettingView = Settings['items'][number]
