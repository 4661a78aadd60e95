import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'

const ofThisProcess = new Set<string>()

/** A name for this process that no other one had, and that tells others on this machine whether it still lives. */
export function createLeaseOwner(): string {
  const name = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`
  ofThisProcess.add(name)
  return name
}

/** Whether the process of that name is certainly gone. Of other machines that cannot be known. */
export function isLeaseOwnerGone(holder: string): boolean {
  if (ofThisProcess.has(holder)) return false
  const [host, pid] = holder.split('/')
  if (host !== hostname()) return false
  // In a container the process before us had our number.
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
