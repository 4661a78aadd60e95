import type { Scenario } from './scenario.ts'
import { badStart } from './scenarios/bad-start.ts'
import { clockSet } from './scenarios/clock-set.ts'
import { container } from './scenarios/container.ts'
import { diskFull } from './scenarios/disk-full.ts'
import { facilitatorWords } from './scenarios/facilitator-words.ts'
import { fileDeleted, fileOverwritten, journalDeleted } from './scenarios/file-lost.ts'
import { freePictures } from './scenarios/free-pictures.ts'
import { freezeServer } from './scenarios/freeze-server.ts'
import { gasDrain } from './scenarios/gas-drain.ts'
import { hangUps, longQueue } from './scenarios/hang-ups.ts'
import { headFlood } from './scenarios/head-flood.ts'
import { heavyTextsInTurns } from './scenarios/heavy-texts.ts'
import { hostileBodies } from './scenarios/hostile-bodies.ts'
import { hostilePictures } from './scenarios/hostile-pictures.ts'
import { hostileRequests } from './scenarios/hostile-requests.ts'
import { hostilePagesScenario, hostileSitemapsScenario } from './scenarios/hostile-sites.ts'
import { brotliWindows, dripServers, oneByteChunks } from './scenarios/hostile-streams.ts'
import { killPayments } from './scenarios/kill-payments.ts'
import { killServer, killTwoServers } from './scenarios/kill-server.ts'
import { lateBlocks } from './scenarios/late-blocks.ts'
import { lockHeld } from './scenarios/lock-held.ts'
import { logFull } from './scenarios/log-full.ts'
import { loginFlood } from './scenarios/login-flood.ts'
import { moneyHereAlready } from './scenarios/money-here-already.ts'
import { privateAddresses } from './scenarios/private-addresses.ts'
import { creditReorged, rpcLies } from './scenarios/rpc-lies.ts'
import { sharedBudgets } from './scenarios/shared-budgets.ts'
import { frontRun, spendTwice } from './scenarios/spend-twice.ts'
import { targetFlood } from './scenarios/target-flood.ts'
import { tokenDecimals } from './scenarios/token-decimals.ts'
import { unsignedFlood } from './scenarios/unsigned-flood.ts'
import { waitFlood } from './scenarios/wait-flood.ts'
import { freezeWorker, killSupervisor, killWorker, stopGroup, workerMetrics } from './scenarios/workers.ts'

/** Every fault, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  killServer,
  killTwoServers,
  killWorker,
  freezeWorker,
  killSupervisor,
  stopGroup,
  workerMetrics,
  freezeServer,
  diskFull,
  logFull,
  lockHeld,
  clockSet,
  fileDeleted,
  journalDeleted,
  fileOverwritten,
  badStart,
  container,
  killPayments,
  rpcLies,
  creditReorged,
  spendTwice,
  frontRun,
  facilitatorWords,
  gasDrain,
  moneyHereAlready,
  lateBlocks,
  unsignedFlood,
  waitFlood,
  tokenDecimals,
  hostilePictures,
  heavyTextsInTurns,
  hostileRequests,
  hostileBodies,
  hostileSitemapsScenario,
  hostilePagesScenario,
  oneByteChunks,
  brotliWindows,
  dripServers,
  targetFlood,
  freePictures,
  longQueue,
  hangUps,
  privateAddresses,
  headFlood,
  loginFlood,
  sharedBudgets,
]
