import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashPassword, verifyPassword } from '../../src/lib/password.ts'
import type { Steps } from '../../src/store/database.ts'
import type { Store } from '../../src/store/open.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'

const passwordEntry = 'admin_password'
const setupEntry = 'admin_setup'
const usedSetupEntry = 'admin_setup_used'

export type SetupState = 'open' | 'used' | 'password_set' | 'replaced'

/** The one password of the operator's area. That of `ADMIN_PASSWORD` wins over one that was set in the browser. */
export function createOperatorPassword(
  { keyValues, transaction }: Pick<Store, 'keyValues' | 'transaction'>,
  fromSettings: string | undefined,
) {
  let settingsHash: Promise<string> | undefined

  async function hash(): Promise<string | undefined> {
    if (fromSettings === undefined) return await keyValues.get(passwordEntry)
    settingsHash ??= hashPassword(fromSettings)
    return await settingsHash
  }

  async function isSet(): Promise<boolean> {
    return fromSettings !== undefined || (await keyValues.get(passwordEntry)) !== undefined
  }

  async function isIn(entry: string, token: string): Promise<boolean> {
    const expected = await keyValues.get(entry)
    return expected !== undefined && timingSafeEqual(Buffer.from(expected, 'hex'), digest(token))
  }

  return {
    isSet,
    async verify(password: string): Promise<boolean> {
      const expected = await hash()
      return expected !== undefined && verifyPassword(password, expected)
    },
    /** Returns a new one-time token for the set-up link and ends the one before; undefined if a password is set. */
    async startSetup(): Promise<string | undefined> {
      if (await isSet()) return undefined
      const token = randomBytes(24).toString('base64url')
      await retryWhileLocked(() => keyValues.set(setupEntry, digest(token).toString('hex')))
      return token
    },
    async setupState(token: string): Promise<SetupState> {
      if (await isSet()) return (await isIn(usedSetupEntry, token)) ? 'used' : 'password_set'
      return (await isIn(setupEntry, token)) ? 'open' : 'replaced'
    },
    /** Sets the password and ends the set-up. False: of several that use the token at once, another was first. */
    async set(token: string, password: string): Promise<boolean> {
      const hashed = await hashPassword(password)
      function* use(): Steps<boolean> {
        const isFirst = yield* keyValues.removeIf(setupEntry, digest(token).toString('hex'))
        if (!isFirst) return false
        yield* keyValues.set(passwordEntry, hashed)
        yield* keyValues.set(usedSetupEntry, digest(token).toString('hex'))
        return true
      }
      return await retryWhileLocked(() => transaction(use, { durable: true }))
    },
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
