import { hostsOf } from '../../src/access/key-hosts.ts'
import { type KeyLook, keyLookOf, lookText } from '../../src/access/key-look.ts'
import type { Keys } from '../../src/access/keys.ts'
import type { KeyRow, KeyTable } from '../../src/store/keys.ts'
import type { Steps } from '../../src/store/operation.ts'
import type { KeyChange } from './key-changes.ts'

/** A key as a file has it, without its secret. What is undefined stays as it is. */
export interface ImportedKey {
  readonly id: string
  readonly name?: string | undefined
  readonly dailyQuota?: number | null | undefined
  readonly expiresAtMs?: number | null | undefined
  readonly hosts?: readonly string[] | undefined
  readonly siteId?: string | undefined
  readonly assets?: readonly string[] | undefined
  readonly notes?: string | undefined
  /** The parts of the look that the file names; undefined: the default. */
  readonly look: Readonly<Record<string, string | undefined>>
  /** The version of the secret that the file was written under. */
  readonly secretVersion?: number | undefined
}

/** Columns of a key that an import changes, with their new values. */
type Difference = Partial<
  Pick<KeyRow, 'name' | 'dailyQuota' | 'expiresAtMs' | 'hosts' | 'assets' | 'notes' | 'look'>
>

interface KeyImportDeps {
  readonly keys: Keys
  readonly table: Pick<KeyTable, 'find' | 'update'>
}

/** Returns what an import would change; nothing where the key is as the file has it. */
export function differenceOf(key: KeyRow, wanted: ImportedKey): Difference {
  const { name, dailyQuota, expiresAtMs, notes } = wanted
  const target: Difference = {
    ...(name !== undefined && { name }),
    ...(dailyQuota !== undefined && { dailyQuota }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(wanted.hosts !== undefined && { hosts: wanted.hosts.join() }),
    ...(wanted.assets !== undefined && { assets: wanted.assets.join() }),
    ...(notes !== undefined && { notes }),
    look: lookOf(key, wanted),
  }
  const present: KeyRow = { ...key, look: lookOf(key) }
  return Object.fromEntries(
    Object.entries(target).filter(([column, value]) => present[column as keyof KeyRow] !== value),
  )
}

function lookOf(key: Pick<KeyRow, 'look'>, { look }: Pick<ImportedKey, 'look'> = { look: {} }): string {
  return lookText({ ...keyLookOf(key), ...look } as KeyLook)
}

/** Makes a key of a file, or changes the one that there is. A new one has a secret that no key had before. */
export function createKeyImport({ keys, table }: KeyImportDeps) {
  function* create(wanted: ImportedKey): Steps<KeyChange> {
    const { secretVersion = 0, look, ...options } = wanted
    const { key, secret } = yield* keys.create({
      ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
      look: look as KeyLook,
      version: secretVersion + 1,
    })
    return { key, secret, action: 'key.create', detail: 'imported' }
  }

  return {
    *import(wanted: ImportedKey): Steps<KeyChange> {
      const key = yield* table.find(wanted.id)
      if (key === undefined) return yield* create(wanted)
      const { hosts, ...difference } = differenceOf(key, wanted)
      if (hosts !== undefined) yield* keys.setHosts(key.id, hostsOf({ hosts }), wanted.siteId)
      if (Object.keys(difference).length > 0) yield* table.update(key.id, difference)
      const changed = (yield* table.find(key.id)) ?? key
      const names = Object.keys({ ...difference, ...(hosts !== undefined && { hosts }) })
      return { key: changed, action: 'key.import', detail: names.join(', ') }
    },
  }
}
