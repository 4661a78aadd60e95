import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import type { Peers } from '../database.ts'

/**
 * Processes of one machine, which the system knows. They wait for one another's transactions and hardly notice it, so each
 * does the common work.
 */
export function createSqlitePeers(): Peers {
  return {
    ownName: createLeaseOwner(),
    isGone: async (name) => isLeaseOwnerGone(name),
    async alone(_, run) {
      await run()
      return true
    },
  }
}

const ofThisProcess = new Set<string>()

/** A unique name for this process, by which others on this machine can tell whether it is still running. */
export function createLeaseOwner(): string {
  const name = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`
  ofThisProcess.add(name)
  return name
}

/** Whether the process of that name has certainly ended. False for processes of other machines. */
export function isLeaseOwnerGone(owner: string): boolean {
  if (ofThisProcess.has(owner)) return false
  const [host, pid] = owner.split('/')
  if (host !== hostname()) return false
  // After a restart in a container, the previous process had the same id.
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}
