import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { hmacHex } from '../lib/hmac-hex.ts'

export type Secrets = ReturnType<typeof createSecrets>

/** The secrets of keys. None is stored: each is derived from the master key, the key's id and its version. */
export function createSecrets(masterKey: Uint8Array) {
  const secrets = new LRUCache<string, string>({
    max: 10_000,
    memoMethod: (name) => derive(masterKey, `mintmark secret ${name}`, 32),
  })

  /** 64 hex digits. */
  function secretOf(keyId: string, version: number): string {
    return secrets.memo(`${keyId} ${version}`)
  }

  const digestKey = derive(masterKey, 'mintmark address digest', 32)

  return {
    /** Identifies the master key without giving anything away about it. */
    fingerprint: derive(masterKey, 'mintmark fingerprint', 16),
    /** Signs the URLs of the playground's previews, which only this service reads. */
    playgroundKey: derive(masterKey, 'mintmark playground', 32),
    secretOf,
    /** Lower-case hex HMAC-SHA256 of the payload. */
    sign: (keyId: string, version: number, payload: string): string =>
      hmacHex(secretOf(keyId, version), payload),
    /** Names a signed address in the store: 32 hex digits, which only this installation can make of its text. */
    digestOf: (text: string): string => hmacHex(digestKey, text).slice(0, 32),
  }
}

function derive(masterKey: Uint8Array, purpose: string, bytes: number): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, bytes)).toString('hex')
}
