import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of its own for a test file; it goes when the tests of the file are done. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
