import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyBytes = 32

/**
 * Reads the key that every secret is derived from, out of `<directory>/master.key`, which only this user can read. Makes
 * the file when it is missing; processes that start together get the same key. Throws when the file is damaged or
 * cannot be made.
 */
export function loadMasterKey(directory: string): Uint8Array {
  const path = join(directory, 'master.key')
  return readKey(path) ?? makeKey(directory, path)
}

/** Whether `<directory>` has the file of a master key, whatever is in it. */
export function hasMasterKey(directory: string): boolean {
  return existsSync(join(directory, 'master.key'))
}

/** Parses 64 hex digits. Returns undefined for anything else. */
export function parseMasterKey(text: string): Uint8Array | undefined {
  const digits = text.trim()
  return /^[0-9a-f]{64}$/i.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined
}

function readKey(path: string): Uint8Array | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const key = parseMasterKey(text)
  if (key === undefined)
    throw new Error(`${path} must hold 64 hex digits. Restore it: every secret depends on it.`)
  return key
}

function makeKey(directory: string, path: string): Uint8Array {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    mkdirSync(directory, { recursive: true })
    writeFileSync(draft, `${randomBytes(keyBytes).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${path} (DATA_DIR) cannot be written: ${reason}. Give this user the right to write there, or set MASTER_KEY.`,
    )
  }
  try {
    // A link appears whole or not at all, and only for the first process that makes it.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  const key = readKey(path)
  if (key === undefined) throw new Error(`${path} has vanished.`)
  return key
}
