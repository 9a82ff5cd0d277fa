import type { Clock } from '../base/clock.ts'
import { SchedulerCore } from '../scheduler/core.ts'
import { StoreMemory } from '../scheduler/store-memory.ts'
import type { ByteSource } from '../script/input.ts'
import { AccessLog, type LogSink } from './access-log.ts'
import { CommandSource } from './command-source.ts'
import { phaseOf } from './phases.ts'
import { SchedulerRecorder } from './scheduler-recorder.ts'

export interface Recording {
  /** The script must read its commands from here. */
  readonly source: ByteSource
  /** Ends the log. */
  end(): void
}

/** Records every scheduler that is made from now on, until `end`. One recording at a time. */
export function startRecording(source: ByteSource, sink: LogSink, clock: Clock): Recording {
  const log = new AccessLog(sink, clock)
  StoreMemory.isWatched = true
  SchedulerCore.onNew = core => {
    new SchedulerRecorder(log, core)
  }
  return {
    source: new CommandSource(source, command => {
      log.phase = phaseOf(command.name)
    }),
    end() {
      SchedulerCore.onNew = undefined
      StoreMemory.isWatched = false
      log.end()
    },
  }
}
