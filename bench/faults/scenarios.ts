import type { Scenario } from './scenario.ts'
import { badStart } from './scenarios/bad-start.ts'
import { clockSet } from './scenarios/clock-set.ts'
import { diskFull } from './scenarios/disk-full.ts'
import { fileDeleted, fileOverwritten } from './scenarios/file-lost.ts'
import { freezeServer } from './scenarios/freeze-server.ts'
import { killServer, killTwoServers } from './scenarios/kill-server.ts'
import { lockHeld } from './scenarios/lock-held.ts'
import { logFull } from './scenarios/log-full.ts'
import { killSupervisor, killWorker, stopGroup } from './scenarios/workers.ts'

/** Every fault, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  killServer,
  killTwoServers,
  killWorker,
  killSupervisor,
  stopGroup,
  freezeServer,
  diskFull,
  logFull,
  lockHeld,
  clockSet,
  fileDeleted,
  fileOverwritten,
  badStart,
]
