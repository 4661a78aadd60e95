import { randomBytes } from 'node:crypto'
import type { Database } from '../database.ts'
import type { Peers } from '../peers.ts'
import { statementsOf } from '../statements.ts'

export interface PostgresPeers extends Peers {
  /** Tells the others that this process lives, now and from now on. */
  join(): Promise<void>
  /** Tells the others that this process ends. */
  leave(): Promise<void>
}

/** How long a process is taken to live after its last sign of life. */
export const leaseMs = 15_000
const renewalsPerLease = 3

/** By the database's clock, so that those of the machines may differ. */
const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/**
 * Processes on any number of machines, whose names and process numbers say nothing: each has a random name, and lives
 * while it renews a lease.
 */
export function createPostgresPeers(database: Database, ownLeaseMs = leaseMs): PostgresPeers {
  const { change, exists, write } = statementsOf(database)
  const take = change(
    `insert into leases (name, owner, until_ms) values (?1, ?2, ${nowMs} + ?3)
     on conflict (name) do update set owner = excluded.owner, until_ms = excluded.until_ms
     where leases.owner = excluded.owner or leases.until_ms <= ${nowMs}`,
  )
  const drop = write('delete from leases where name = ? and owner = ?')
  const isHeld = exists(`select 1 from leases where name = ? and until_ms > ${nowMs}`)
  const ownName = randomBytes(12).toString('base64url')
  const running = new Set<string>()
  let heartbeat: ReturnType<typeof setInterval> | undefined

  /** A renewal that fails is made up for by the next; without any the lease ends, which is what it is for. */
  function renewAgainAndAgain(name: string): ReturnType<typeof setInterval> {
    const renew = () => void take(name, ownName, ownLeaseMs).then(undefined, () => {})
    return setInterval(renew, ownLeaseMs / renewalsPerLease).unref()
  }

  async function runWithLease(name: string, run: () => Promise<void>): Promise<boolean> {
    if (!(await take(name, ownName, ownLeaseMs))) return false
    const timer = renewAgainAndAgain(name)
    try {
      await run()
    } finally {
      clearInterval(timer)
      await drop(name, ownName).then(undefined, () => {})
    }
    return true
  }

  return {
    ownName,
    isGone: async (name) => !(await isHeld(lifeOf(name))),
    async alone(work, run) {
      if (running.has(work)) return false
      running.add(work)
      try {
        return await runWithLease(`work ${work}`, run)
      } finally {
        running.delete(work)
      }
    },
    async join() {
      await take(lifeOf(ownName), ownName, ownLeaseMs)
      heartbeat = renewAgainAndAgain(lifeOf(ownName))
    },
    async leave() {
      clearInterval(heartbeat)
      await drop(lifeOf(ownName), ownName).then(undefined, () => {})
    },
  }
}

function lifeOf(name: string): string {
  return `process ${name}`
}
