import { readdirSync, readFileSync } from 'node:fs'

/** A process and all below it. */
export function processTree(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

/** The resident memory of some processes together, in bytes; what ended meanwhile has none. */
export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) * 1024, 0)
}

/** CPU time of a process and all below it, as Linux counts it. */
export function cpuMsOf(root: number): number {
  const hundredths = processTree(root).map((pid) => {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13)
    return Number(user) + Number(system)
  })
  return hundredths.reduce((sum, one) => sum + one, 0) * 10
}

/** How long a process's main thread was ready to run since it began and had no processor, in ms. */
export function waitedForProcessorMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

function parentOf(pid: string): number | undefined {
  const match = /^PPid:\s*(\d+)$/m.exec(statusOf(pid))
  return match === null ? undefined : Number(match[1])
}

function statusOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
