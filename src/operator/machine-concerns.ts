import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { formatBytes } from '../lib/human-format.ts'
import { databaseLocation } from '../store/database-location.ts'
import type { Concern } from './concern.ts'
import type { ConcernDeps } from './concern-deps.ts'
import { databaseMsMax, freeBytesNow, freeBytesSoon, standbyLagMsMax } from './concern-limits.ts'

/** Whether the database answers, in time, and whether its standby follows. */
export async function databaseConcerns({ store }: Pick<ConcernDeps, 'store'>): Promise<readonly Concern[]> {
  const about = { subject: store.name, path: '/admin/settings' }
  const probe = await store.health.probe()
  if (!probe.ok) {
    const text = `The database is not ready: ${probe.problem}.`
    return [{ ...about, kind: 'database', id: 'database', level: 'now', text, values: {} }]
  }
  const found: Concern[] = []
  const tookMs = Math.round(probe.tookMs)
  if (tookMs > databaseMsMax)
    found.push({
      ...about,
      kind: 'database_slow',
      id: 'database_slow',
      level: 'soon',
      text: `The database took ${tookMs} ms for a check that writes as a call does.`,
      values: { took_ms: tookMs },
    })
  const lagMs = await store.standbyLagMs()
  if (lagMs > standbyLagMsMax)
    found.push({
      ...about,
      kind: 'standby_lag',
      id: 'standby_lag',
      level: 'soon',
      text: `A standby of the database is ${Math.round(lagMs / 1000)} s behind.`,
      values: { lag_ms: lagMs },
    })
  return found
}

/** Room where this machine's data is. Each machine has a disk of its own, so the event names the machine. */
export async function diskConcerns({
  config,
  readFreeBytes = freeBytesOf,
}: ConcernDeps): Promise<readonly Concern[]> {
  const location = databaseLocation(config)
  const folder = location.kind === 'sqlite' ? dirname(location.path) : config.DATA_DIR
  const freeBytes = await readFreeBytes(folder)
  if (freeBytes === undefined || freeBytes >= freeBytesSoon) return []
  const isFull = freeBytes < freeBytesNow
  const host = hostname()
  const effect = isFull ? 'calls may fail, because they cannot be counted' : 'a backup may not fit'
  return [
    {
      kind: 'disk',
      id: `disk:${host}:${isFull ? 'full' : 'low'}`,
      level: isFull ? 'now' : 'soon',
      subject: folder,
      text: `${formatBytes(freeBytes)} are free in ${folder} on ${host}: ${effect}.`,
      path: '/admin/settings',
      values: { host, folder, free_bytes: freeBytes },
    },
  ]
}

async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // The folder is made at the first write; a database that cannot be written is a concern of its own.
    return undefined
  }
}
