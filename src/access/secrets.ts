import { createHmac, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The secrets of keys. None is stored: each is derived from the master key, the key's id and its version. */
export interface Secrets {
  /** Identifies the master key without giving anything away about it. */
  readonly fingerprint: string
  /** Signs the URLs of the playground's previews, which only this service reads. */
  readonly playgroundKey: string
  /** 64 hex digits. */
  secretOf(keyId: string, version: number): string
  /** Lower-case hex HMAC-SHA256 of the payload. */
  sign(keyId: string, version: number, payload: string): string
}

const cachedSecretsMax = 10_000

export function createSecrets(masterKey: Uint8Array): Secrets {
  const secrets = new LRUCache<string, string>({ max: cachedSecretsMax })

  function secretOf(keyId: string, version: number): string {
    const name = `${keyId} ${version}`
    let secret = secrets.get(name)
    if (secret === undefined) {
      secret = derive(masterKey, `mintmark secret ${name}`, 32)
      secrets.set(name, secret)
    }
    return secret
  }

  return {
    fingerprint: derive(masterKey, 'mintmark fingerprint', 16),
    playgroundKey: derive(masterKey, 'mintmark playground', 32),
    secretOf,
    sign: (keyId, version, payload) =>
      createHmac('sha256', secretOf(keyId, version)).update(payload).digest('hex'),
  }
}

function derive(masterKey: Uint8Array, purpose: string, bytes: number): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, bytes)).toString('hex')
}
