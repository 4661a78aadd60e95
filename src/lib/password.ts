import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export const passwordLengthMin = 10
/** A longer one only costs work. */
export const passwordLengthMax = 1000

/** The fault of a new password, as the end of a sentence; undefined if it may be set. */
export function passwordMistake({ length }: string): string | undefined {
  if (length >= passwordLengthMin && length <= passwordLengthMax) return undefined
  return `must have ${passwordLengthMin} to ${passwordLengthMax} characters`
}

const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** About the same work as the argon2 setting, in 32 MiB. */
const scryptCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const scryptPrefix = '$scrypt$'

/** Hashes a password, off the main thread: argon2id under Bun, scrypt elsewhere. The result names its algorithm. */
export async function hashPassword(password: string): Promise<string> {
  if (typeof Bun !== 'undefined') return Bun.password.hash(password, argon2)
  const salt = randomBytes(16)
  const key = await scryptKey(password, salt)
  return `${scryptPrefix}${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Throws an Error for an argon2id hash where Bun is missing. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  if (hash.startsWith(scryptPrefix)) {
    const [salt = '', key = ''] = hash.slice(scryptPrefix.length).split('$')
    const expected = Buffer.from(key, 'base64url')
    return timingSafeEqual(await scryptKey(password, Buffer.from(salt, 'base64url')), expected)
  }
  if (typeof Bun === 'undefined')
    throw new Error('This password was set under Bun, whose argon2id is missing here: set ADMIN_PASSWORD.')
  return Bun.password.verify(password, hash)
}

function scryptKey(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, scryptCost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

export function hmacHex(secret: string | Uint8Array, payload: string): string {
  return hmac(secret, payload, 'hex')
}

export function hmac(secret: string | Uint8Array, payload: string, encoding: 'hex' | 'base64url'): string {
  return createHmac('sha256', secret).update(payload).digest(encoding)
}

/** Compares in constant time, so that nobody can guess a MAC byte by byte. */
export function isSameMac(expected: string, offered: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(offered)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
