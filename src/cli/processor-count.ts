import { availableParallelism } from 'node:os'
import { readText } from './read-text.ts'

/**
 * The number of processors that this process may keep busy. The runtimes know which of them it may run on, but not how much time a
 * container or a service unit is given (`docker --cpus`, `CPUQuota=`), which is rounded up.
 *
 * @param readFile throws for a file that is not there
 */
export function processorCount(readFile = readText, processors = availableParallelism()): number {
  return Math.max(1, Math.min(processors, Math.ceil(limitOf(readFile))))
}

/** The lowest limit of the control groups that this process is in; infinite where none of them has one. */
function limitOf(readFile: (path: string) => string): number {
  const groups = readOr('', () => readFile('/proc/self/cgroup')).matchAll(/^\d+:([^:]*):\/(.*)$/gm)
  let lowest = Number.POSITIVE_INFINITY
  for (const [, controllers = '', path = ''] of groups) {
    if (controllers !== '' && !controllers.split(',').includes('cpu')) continue
    const names = path.split('/')
    // A group is held to the limits of those above it.
    for (let depth = 0; depth <= names.length; depth += 1) {
      const folder = [controllers === '' ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu', ...names.slice(0, depth)]
      const limit = readOr(Infinity, () => readLimit(readFile, folder.join('/'), controllers))
      lowest = Math.min(lowest, limit)
    }
  }
  return lowest
}

/** Version 2 of control groups has one file, version 1 has two; without a limit it is `max` there and -1 here. */
function readLimit(readFile: (path: string) => string, folder: string, controllers: string): number {
  const [quota, period] =
    controllers === ''
      ? readFile(`${folder}/cpu.max`).split(' ').map(Number)
      : ['quota', 'period'].map((name) => Number(readFile(`${folder}/cpu.cfs_${name}_us`)))
  const limit = (quota ?? 0) / (period ?? 0)
  return limit > 0 ? limit : Number.POSITIVE_INFINITY
}

function readOr<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
