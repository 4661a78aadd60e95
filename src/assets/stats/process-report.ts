import type { CacheStats } from '../../lib/byte-cache.ts'
import { type LatencySnapshot, mergeLatencies } from '../../lib/latency.ts'

/** Counts of one process, or of several together. Plain data, because workers send it to one another for `/metrics`. */
export interface ProcessReport {
  readonly cache: CacheStats
  /** Every response, pages and refused paths included. */
  readonly responses: Readonly<Record<ResponseOutcome, number>>
  readonly latency: LatencySnapshot
  /** Log lines that could not be written, and errors that nothing caught. */
  readonly incidents: Incidents
  readonly workerRestarts: number
  /** The highest value that each counter of the store was seen to have, by a name of its own. */
  readonly highest: Readonly<Record<string, number>>
}

export type Incidents = Readonly<Record<'linesLost' | 'unhandledErrors', number>>

/** Only the failed ones are a fault of this server. */
export type ResponseOutcome = 'served' | 'unpaid' | 'refused' | 'failed'

export const noResponses: ProcessReport['responses'] = { served: 0, unpaid: 0, refused: 0, failed: 0 }

/** @param status a status, or a class such as `4xx` */
export function responseOutcome(status: string | number): ResponseOutcome {
  const text = String(status)
  if (text === '402') return 'unpaid'
  if (text.startsWith('4')) return 'refused'
  return text.startsWith('5') ? 'failed' : 'served'
}

export function mergeReports(all: readonly ProcessReport[]): ProcessReport {
  return {
    cache: sumOf({ entries: 0, bytes: 0, hits: 0, misses: 0 }, ...all.map(({ cache }) => cache)),
    responses: sumOf({ ...noResponses }, ...all.map(({ responses }) => responses)),
    latency: mergeLatencies(all.map(({ latency }) => latency)),
    incidents: sumOf({ linesLost: 0, unhandledErrors: 0 }, ...all.map(({ incidents }) => incidents)),
    workerRestarts: all.reduce((sum, { workerRestarts }) => sum + workerRestarts, 0),
    highest: highestOf(all.map(({ highest }) => highest)),
  }
}

function sumOf<Name extends string>(sums: Record<Name, number>, ...all: readonly Record<Name, number>[]) {
  for (const one of all) for (const name in sums) sums[name] += one[name]
  return sums
}

/** The report of a process that has ended: its memory is free again, and its counts remain. */
export function reportOfEnded(report: ProcessReport): ProcessReport {
  return { ...report, cache: { ...report.cache, entries: 0, bytes: 0 } }
}

function highestOf(all: ProcessReport['highest'][]): ProcessReport['highest'] {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))]
  return Object.fromEntries(names.map((name) => [name, Math.max(...all.map((one) => one[name] ?? 0))]))
}
