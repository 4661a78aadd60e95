import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

/** The memory of the container that each server runs in, in MB. */
const containerMb = 512

interface Kind {
  readonly folder: string
  readonly limitFile: string
  readonly eventsFile: string
}

/** Version 1 of cgroups has a tree for memory alone, version 2 one tree for everything. */
const kinds: readonly Kind[] = [
  { folder: '/sys/fs/cgroup/memory', limitFile: 'memory.limit_in_bytes', eventsFile: 'memory.oom_control' },
  { folder: '/sys/fs/cgroup', limitFile: 'memory.max', eventsFile: 'memory.events' },
]

const kind = kinds.find(isWritable)

/** The limit that servers get here, in MB; undefined where this machine lets us set none. */
export const memoryLimitMb = kind === undefined ? undefined : containerMb

export interface Cgroup {
  /** Words to put in front of a program, so that it starts inside. */
  readonly launcher: readonly string[]
  /** How many processes the kernel ended for want of memory. */
  readonly kills: () => number
  /** Once its processes have ended. */
  readonly remove: () => Promise<void>
}

let serial = 0

/** A group of processes that together may have so much memory and no more. */
export function createCgroup(limitMb: number): Cgroup | undefined {
  if (kind === undefined) return undefined
  const folder = join(kind.folder, `mintmark-faults-${process.pid}-${++serial}`)
  mkdirSync(folder)
  writeFileSync(join(folder, kind.limitFile), String(limitMb * 2 ** 20))
  const { eventsFile } = kind
  return {
    launcher: ['sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', folder],
    kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(folder, eventsFile), 'utf8'))?.[1] ?? 0),
    async remove() {
      for (let tries = 0; tries < 40 && existsSync(folder); tries++) {
        ignoreErrors(() => rmdirSync(folder))
        if (existsSync(folder)) await Bun.sleep(50)
      }
    },
  }
}

function isWritable({ folder, limitFile }: Kind): boolean {
  const probe = join(folder, `mintmark-faults-probe-${process.pid}`)
  try {
    mkdirSync(probe)
    writeFileSync(join(probe, limitFile), String(Math.min(totalmem(), containerMb * 2 ** 20)))
    return true
  } catch {
    return false
  } finally {
    ignoreErrors(() => rmdirSync(probe))
  }
}

function ignoreErrors(action: () => void): void {
  try {
    action()
  } catch {
    // It is not there, or processes that end are still in it.
  }
}
