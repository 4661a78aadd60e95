import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { setAwakeTimeout } from '../lib/clock.ts'
import { reasonOf } from '../lib/system-reason.ts'
import type { Database } from './database.ts'
import texts from './store-faults.json' with { type: 'json' }

/** The database could not be read or written, for a reason outside of our own code. Nothing of the transaction was stored. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreFault
  readonly summary: string

  /** @param message for the operator: it names the file, and what helps */
  constructor(kind: StoreFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.summary = `the database ${texts[kind].fault}`
  }
}

export type StoreFault = keyof typeof texts

export interface DatabaseFile {
  readonly path: string
  readonly setting: string
}

/** Names of one fault: SQLite's primary result code, its message (Deno gives no code for errors of `exec`), or an errno. */
const faultsByName: ReadonlyMap<number | string, StoreFault> = new Map(
  (
    [
      ['locked', 5, 6, 'database is locked', 'database table is locked'],
      ['readonly', 8, 'attempt to write a readonly database', 'EROFS'],
      ['failing', 10, 22, 'disk I/O error', 'EIO'],
      ['damaged', 11, 'database disk image is malformed'],
      ['full', 13, 'database or disk is full', 'ENOSPC', 'EDQUOT'],
      ['unopenable', 3, 14, 'unable to open database file'],
      ['unopenable', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT'],
      ['not_sqlite', 26, 'file is not a database'],
    ] as const
  ).flatMap(([fault, ...names]) => names.map((name) => [name, fault] as const)),
)

export function storeError(kind: StoreFault, { path, setting }: DatabaseFile, cause?: unknown): StoreError {
  const { fault, remedy } = texts[kind]
  const own = cause instanceof Error ? ` (${reasonOf(cause)})` : ''
  // In containers the number is all that the owner of a mounted folder has to fit.
  const uid = kind === 'readonly' || kind === 'unopenable' ? process.getuid?.() : undefined
  const user = uid === undefined ? '' : ` This process runs as user ${uid}.`
  return new StoreError(kind, `The database ${path} (${setting}) ${fault}${own}. ${remedy}${user}`, cause)
}

/** Returns any error but those of SQLite and the file system as it is. */
export function asStoreError(error: unknown, file: DatabaseFile): unknown {
  const kind = error instanceof Error ? faultOf(error) : undefined
  return kind === undefined ? error : storeError(kind, file, error)
}

function faultOf(error: Error & { readonly [_ in 'errcode' | 'errno' | 'code']?: unknown }) {
  const { errcode, errno, code, message } = error
  const isOfBun = typeof code === 'string' && code.startsWith('SQLITE_')
  const number = isOfBun ? errno : errcode
  if (typeof number === 'number') return faultsByName.get(number & 0xff)
  // The codes of other errors, such as a DOMException, may be numbers that mean something else.
  const byCode = typeof code === 'string' ? faultsByName.get(code) : undefined
  if (byCode !== undefined) return byCode
  // Deno writes the file or the statement behind SQLite's message.
  return [...faultsByName].find(([name]) => typeof name === 'string' && message.startsWith(name))?.[1]
}

export function findStoreError(error: unknown): StoreError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof StoreError) return each
  }
  return undefined
}

export function isLocked(error: unknown): boolean {
  return findStoreError(error)?.kind === 'locked'
}

/** Nothing was stored, and another try may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  const kind = findStoreError(error)?.kind
  return kind === 'locked' || kind === 'interrupted'
}

/** A request waits so long for the write lock before it is answered 503. */
export const lockPatienceMs = 5_000

const delayMsMax = 25
/** The others who wait look this often in their patience, in case the one who looks for all is held up. */
const ownLooks = 5

/**
 * Runs `work`, one transaction, again while another process holds the write lock, or where a connection was lost
 * before anything was stored. The waits are timers, because a wait inside SQLite stops the event loop. Of all who wait
 * for one database, one tries often, and the others when it got through. Throws the `StoreError` after `patienceMs`.
 */
export async function retryWhileLocked<T>(work: () => T | PromiseLike<T>, patienceMs = lockPatienceMs) {
  let isOver = false
  const patience = setAwakeTimeout(() => {
    isOver = true
  }, patienceMs)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  /** The problem that this caller tries often for, on behalf of all who wait for the same. */
  let own: string | undefined
  try {
    for (let tries = 0; ; tries += 1) {
      let problem: string
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || isOver) throw error
        problem = String(error)
      }
      const lookout = lookouts.get(problem)
      if (own === undefined && lookout === undefined) {
        own = problem
        lookouts.set(problem, end)
      }
      if (own !== undefined || lookout === undefined) await sleep(retryDelayMs(tries))
      else await Promise.race([lookout, sleep(patienceMs / ownLooks, undefined, { ref: false })])
    }
  } finally {
    patience.clear()
    if (own !== undefined) lookouts.delete(own)
    resolve()
  }
}

/** When the one who tries often has got through or given up, by the message of the error, which names the database. */
const lookouts = new Map<string, Promise<void>>()

const repeatsMax = 3

/** Like `retryWhileLocked`, for several steps. It waits with an empty transaction: steps may call other services. */
export async function repeatWhileLocked<T>(
  { transaction }: Pick<Database, 'transaction'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || repeats === repeatsMax) throw error
    }
    await retryWhileLocked(() => transaction(function* () {}))
  }
}

/** Delay in ms before the next try: short at first, since most locks last a millisecond, and random. */
export function retryDelayMs(tries: number, max = delayMsMax): number {
  return Math.min(max, 2 ** Math.min(tries, 20)) * (0.5 + Math.random() / 2)
}
