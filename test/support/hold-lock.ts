import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A process of its own that holds the write lock of a database, as the sqlite3 shell does after BEGIN IMMEDIATE. */
export interface HeldLock {
  release(): Promise<void>
}

export async function holdLock(database: string): Promise<HeldLock> {
  const program = join(import.meta.dirname, 'children/hold-lock.ts')
  const child = spawn(process.execPath, [program, database], { stdio: ['pipe', 'pipe', 'inherit'] })
  await firstLine(child)
  return {
    async release() {
      const ended = new Promise((resolve) => child.on('exit', resolve))
      child.stdin.end()
      await ended
    },
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The child has no output.')
  const lines = createInterface({ input: stdout })
  return new Promise((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('The lock could not be had.')))
  })
}
