import { afterAll } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { atEnd } from './at-end.ts'

/** Ends what a test that failed half-way left running: an orphan holds the output of whoever runs the tests. */
afterAll(() => {
  for (const work of atEnd.splice(0)) work()
  for (const pid of childrenOf(process.pid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
})

function childrenOf(parent: number): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
