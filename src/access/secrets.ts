import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { hmacHex } from '../lib/password.ts'
import { errorCode, reasonOf } from '../lib/system-reason.ts'
import { makePrivateFolder } from '../store/database-location.ts'
import type { Store } from '../store/open.ts'

export type Secrets = ReturnType<typeof createSecrets>

const keyBytes = 32

/** The secrets of keys. None is stored: each is derived from the master key, the key's id and its version. */
export function createSecrets(masterKey: Uint8Array) {
  const secrets = new LRUCache<string, string>({
    max: 10_000,
    memoMethod: (name) => derive(masterKey, `mintmark secret ${name}`, keyBytes),
  })

  function secretOf(keyId: string, version: number): string {
    return secrets.memo(`${keyId} ${version}`)
  }

  const digestKey = derive(masterKey, 'mintmark address digest', 32)

  return {
    fingerprint: derive(masterKey, 'mintmark fingerprint', 16),
    /** Signs the URLs of the playground's previews, which only this service reads. */
    playgroundKey: derive(masterKey, 'mintmark playground', 32),
    secretOf,
    sign: (keyId: string, version: number, text: string): string => hmacHex(secretOf(keyId, version), text),
    /** Names a signed address in the store: 32 hex digits, which only this installation can make of its text. */
    digestOf: (text: string): string => hmacHex(digestKey, text).slice(0, 32),
  }
}

function derive(masterKey: Uint8Array, purpose: string, bytes: number): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, bytes)).toString('hex')
}

export const fingerprintName = 'master_key_fingerprint'

/** The master key of the setting, else that of the file, which is made where it was never there. */
export async function masterKeyOf(
  { MASTER_KEY: text, DATA_DIR: directory }: Pick<Config, 'MASTER_KEY' | 'DATA_DIR'>,
  store: Store,
): Promise<Uint8Array> {
  const given = parseMasterKey(text ?? '')
  if (given !== undefined) return given
  await refuseLostMasterKey(store, directory)
  return loadMasterKey(directory)
}

export function parseMasterKey(text: string): Uint8Array | undefined {
  const digits = text.trim()
  return /^[0-9a-f]{64}$/i.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined
}

/** Throws when the store's keys were issued under another master key: every signature would be refused without a reason. */
export async function checkMasterKey({ keyValues, keys, transaction }: Store, { fingerprint }: Secrets) {
  await transaction(function* () {
    if ((yield* keyValues.setOnce(fingerprintName, fingerprint)) === fingerprint) return
    const wrong = 'The master key is not the one that this database was made with.'
    if ((yield* keys.issued()) > 0) throw new Error(`${wrong} Restore master.key or MASTER_KEY.`)
    yield* keyValues.set(fingerprintName, fingerprint)
  })
}

/** To be called before a new master key is made, which would take the place of a lost one that the store needs. */
async function refuseLostMasterKey(store: Store, directory: string): Promise<void> {
  const isNeeded = (await store.keys.issued()) > 0 || (await store.paymentList.newest('any', 1)).length > 0
  const path = join(directory, 'master.key')
  if ((await store.keyValues.get(fingerprintName)) === undefined || !isNeeded || existsSync(path)) return
  throw new Error(
    `${path} is missing (DATA_DIR), and the database has keys or payments that were made with it. Put it back from your backup, or set MASTER_KEY. Nothing was written in its place.`,
  )
}

export function readMasterKey(directory: string): Uint8Array | undefined {
  const path = join(directory, 'master.key')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const key = parseMasterKey(text)
  if (key === undefined)
    throw new Error(`${path} must hold 64 hex digits. Restore it: every secret depends on it.`)
  return key
}

/** Reads or makes `<directory>/master.key`, for this user alone. Processes that start together get the same key. */
export function loadMasterKey(directory: string): Uint8Array {
  const existing = readMasterKey(directory)
  if (existing !== undefined) return existing
  const path = join(directory, 'master.key')
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    makePrivateFolder(directory)
    const digits = randomBytes(32).toString('hex')
    writeFileSync(draft, `${digits}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new Error(
      `${path} (DATA_DIR) cannot be written: ${reasonOf(error)}. Give this user the right to write there, or set MASTER_KEY.`,
    )
  }
  try {
    // A link appears whole or not at all, and only for the first process that makes it.
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  const key = readMasterKey(directory)
  if (key === undefined) throw new Error(`${path} has vanished.`)
  return key
}
