import { rm, writeFile } from 'node:fs/promises'
import { asStoreError, type DatabaseFile, StoreError } from './store-error.ts'

/** Bytes that a busy second may store. */
const neededBytes = 256 * 1024

/**
 * Returns why the disk takes no more, undefined if it does. It writes a file beside the database and removes it, because
 * one small write into the database may find room in its journal while the disk or a quota is full.
 */
export async function findFullDisk(file: DatabaseFile): Promise<StoreError | undefined> {
  const path = `${file.path}-room`
  try {
    await writeFile(path, new Uint8Array(neededBytes), { mode: 0o600 })
    return undefined
  } catch (error) {
    const fault = asStoreError(error, file)
    return fault instanceof StoreError && fault.kind === 'full' ? fault : undefined
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
