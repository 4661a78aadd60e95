import { readdirSync, readFileSync } from 'node:fs'

/**
 * Memory in use by a process and all that it started, in bytes; pages that several share count for each. What was just
 * forked and runs no program of its own yet still has its parent's memory, and is left out. Linux only.
 */
export function treeBytes(pid: number): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statusOf(name) ?? []) : []))
  const tree = new Set([pid])
  // A child may come before its parent in the list.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size
    for (const { id, parent, command } of processes)
      if (tree.has(parent) && command !== commandOf(parent)) tree.add(id)
  }
  return processes.reduce((sum, { id, bytes }) => sum + (tree.has(id) ? bytes : 0), 0)
}

export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? statusOf(name) : undefined
    return status?.parent === pid ? [status.id] : []
  })
}

function commandOf(pid: string | number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

function statusOf(pid: string) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    function field(name: string) {
      return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    }
    return { id: Number(pid), command: commandOf(pid), parent: field('PPid'), bytes: field('VmRSS') * 1024 }
  } catch {
    return undefined
  }
}

/** Looks at the tree again and again until it is told to stop; `stop` gives the most that it saw. */
export function watchTree(pid: number, everyMs = 20) {
  let peakBytes = treeBytes(pid)
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, treeBytes(pid))
  }, everyMs)
  return {
    stop(): number {
      clearInterval(timer)
      return Math.max(peakBytes, treeBytes(pid))
    },
  }
}
