import { join } from 'node:path'
import type { Row } from './row.ts'

const script = join(import.meta.dirname, '../run-section.ts')

/** Runs a section in a process of its own, so that nothing that others leave behind counts in it. */
export async function runSectionApart(name: string): Promise<readonly Row[]> {
  let rows: readonly Row[] | undefined
  const child = Bun.spawn([process.execPath, script, name], {
    stdout: 'inherit',
    stderr: 'inherit',
    ipc(message: readonly Row[]) {
      rows = message
    },
  })
  const code = await child.exited
  if (rows === undefined) throw new Error(`ended with ${code}`)
  return rows
}
