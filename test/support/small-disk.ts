import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a few megabytes. Undefined where this user may not mount one: what needs it is left out, and says so. */
export function mountSmallDisk() {
  const path = mkdtempSync(join(tmpdir(), 'mintmark-disk-'))
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    console.warn('No file system can be mounted: the tests with a full disk are left out.')
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (const bytes of [65_536, 4_096]) fillIn(file, bytes)
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('/bin/umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function fillIn(file: number, bytes: number): void {
  const piece = new Uint8Array(bytes)
  try {
    for (;;) writeSync(file, piece)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  }
}
