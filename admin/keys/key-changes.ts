import type { Static } from '@sinclair/typebox'
import { createHostReader } from '../../src/access/key-limits.ts'
import { forever, type KeyOptions, type Keys } from '../../src/access/keys.ts'
import type { Config } from '../../src/config.ts'
import { type Clock, dayMs, hourMs, isoDay } from '../../src/lib/clock.ts'
import type { Operation, Steps } from '../../src/store/database.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import {
  inputTexts,
  type KeyForm,
  type KeyMistake,
  type KeyRules,
  keyForms,
  type rotationForm,
  savedForms,
} from './key-fields.ts'

interface KeyChangesDeps extends Pick<KeyRules, 'brandFault'> {
  readonly keys: Keys
  readonly clock: Clock
  readonly config: Pick<Config, 'UPGRADE_DAYS' | 'FETCH_ALLOW_CIDRS'>
}

export interface KeyChange {
  readonly key: KeyRow
  readonly action: string
  readonly detail?: string
  readonly secret?: string
}

/** Changes of keys, undefined without such a key. The caller adds the audit entry in the same transaction. */
export function createKeyChanges({ keys, clock, config, brandFault }: KeyChangesDeps) {
  const readHosts = createHostReader(config.FETCH_ALLOW_CIDRS)

  function readForms(forms: readonly KeyForm[], values: object): KeyOptions | KeyMistake {
    const rules = { nowMs: clock.now(), readHosts, brandFault }
    let options: KeyOptions = {}
    for (const form of forms) {
      const read = form.read(values, rules)
      if ('mistake' in read) return read
      options = { ...options, ...read }
    }
    return options
  }

  function* set(id: string, action: string, values: object): Steps<KeyChange | KeyMistake | undefined> {
    const forms = action === 'save' ? savedForms : (keyForms.get(action) ?? [])
    const read = readForms(forms, values)
    if ('mistake' in read) return read
    const key = yield* keys.change(id, read)
    if (key === undefined) return undefined
    const details = described(forms, key)
    const detail = details.length === 0 ? forms.map(({ none }) => none) : details
    return { key, action: `key.${action}`, detail: detail.join(', ') }
  }

  return {
    *create(values: object): Steps<KeyChange | KeyMistake> {
      const forms = [...keyForms.values()].flat()
      const read = readForms(forms, values)
      if ('mistake' in read) return read
      const pair = yield* keys.create(read)
      const named = forms.filter(({ action }) => action !== 'rename')
      return { ...pair, action: 'key.create', detail: described(named, pair.key).join(', ') }
    },
    set,
    *site(id: string, values: object, names: readonly string[]) {
      const key = yield* keys.find(id)
      if (key === undefined) return undefined
      const before = Object.entries(inputTexts(key)).filter(([name]) => !names.includes(name))
      return yield* set(id, 'site', { ...values, ...Object.fromEntries(before) })
    },
    *rotate(id: string, { leaked, overlap: hours, since }: Static<typeof rotationForm>) {
      const pair = leaked
        ? yield* keys.rotateLeaked(id, since ?? 0)
        : yield* keys.rotate(id, Number(hours) * hourMs)
      if (pair === undefined) return undefined
      const addresses = since === undefined ? 'all its URLs' : `its URLs since ${isoDay(since)}`
      const before = leaked ? `leaked: ended with ${addresses}` : `for ${hours} h more`
      const detail = `version ${pair.key.version}, the one before ${before}`
      return { ...pair, action: 'key.rotate', detail }
    },
    revoke: (id: string) => changed(keys.revoke(id), 'key.revoke'),
    restore: (id: string) => changed(keys.restore(id), 'key.restore'),
    upgrade(id: string, isOff: boolean) {
      if (isOff) return changed(keys.upgrade(id, null), 'key.upgrade', 'ended')
      const days = config.UPGRADE_DAYS
      const untilMs = days === 0 ? forever : clock.now() + days * dayMs
      return changed(keys.upgrade(id, untilMs), 'key.upgrade', days === 0 ? 'for good' : `${days} days`)
    },
  }
}

function* changed(change: Operation<KeyRow | undefined>, action: string, detail?: string) {
  const key = yield* change
  return key && { key, action, ...(detail !== undefined && { detail }) }
}

function described(forms: readonly KeyForm[], key: KeyRow): readonly string[] {
  return forms.flatMap(({ describe }) => describe(key) ?? [])
}
