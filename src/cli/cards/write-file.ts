import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { reasonOf } from '../../lib/system-reason.ts'

let count = 0

/** Writes a file whole or not at all, because a run may be killed and a disk may be full; `mode` are its permission bits. */
export async function writeWhole(path: string, bytes: Uint8Array | string, mode?: number): Promise<void> {
  count += 1
  // Not named for the file: its name may be as long as a file system takes.
  const draft = join(dirname(path), `${draftStart}${process.pid}-${count}`)
  try {
    const file = await open(draft, 'wx')
    await fill(file, bytes, mode)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

/** True for a file that a run left when it was killed while it wrote. */
export function isDraft(name: string): boolean {
  return name.startsWith(draftStart)
}

const draftStart = '.mintmark-draft-'

async function fill(file: FileHandle, bytes: Uint8Array | string, mode: number | undefined): Promise<void> {
  try {
    await file.writeFile(bytes)
    if (mode !== undefined) await file.chmod(mode)
    // Otherwise the new name may reach the disk before the content, and a power cut leaves an empty page.
    await file.datasync()
  } finally {
    await file.close()
  }
}
