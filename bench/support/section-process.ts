import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processTree } from '../faults/support/process-tree.ts'
import type { Row } from './row.ts'
import { deadlineVariable, repeatsVariable, TimeLimitPassed } from './time-limit.ts'

const ownScript = join(import.meta.dirname, '../run-section.ts')

interface Limits {
  /** When it is ended, in ms since 1970. */
  readonly deadlineMs: number
  /** For how long it may measure again what fell short. */
  readonly repeatMs: number
}

/**
 * Runs a section in a process of its own, so that nothing that others leave behind counts in it. At the deadline it
 * is ended with all that it has started, and its temporary files are removed.
 */
export async function runSectionApart(
  name: string,
  { deadlineMs, repeatMs }: Limits,
  script = ownScript,
): Promise<readonly Row[]> {
  const limitMs = Math.max(0, deadlineMs - Date.now())
  const temporary = mkdtempSync(join(tmpdir(), 'mintmark-section-'))
  // PostgreSQL runs as another user.
  chmodSync(temporary, 0o755)
  let rows: readonly Row[] | undefined
  const child = Bun.spawn([process.execPath, script, name], {
    stdout: 'inherit',
    stderr: 'inherit',
    env: {
      ...process.env,
      TMPDIR: temporary,
      [deadlineVariable]: String(deadlineMs),
      [repeatsVariable]: String(repeatMs),
    },
    ipc(message: readonly Row[]) {
      rows = message
    },
  })
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    for (const pid of processTree(child.pid)) process.kill(pid, 'SIGKILL')
  }, limitMs)
  const code = await child.exited
  clearTimeout(timer)
  rmSync(temporary, { recursive: true, force: true })
  if (rows !== undefined) return rows
  if (isOver) throw new TimeLimitPassed(`not done within ${Math.round(limitMs / 1_000)} s`)
  throw new Error(`ended with ${code}`)
}
