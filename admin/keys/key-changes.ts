import type { Static } from '@sinclair/typebox'
import { readKeyAssets } from '../../src/access/key-assets.ts'
import { createHostReader, hostsOf } from '../../src/access/key-hosts.ts'
import { type KeyLook, keyLookOf, lookNames } from '../../src/access/key-look.ts'
import { forever, type Keys } from '../../src/access/keys.ts'
import type { Config } from '../../src/config.ts'
import { type Clock, dayMs, hourMs, isoDay } from '../../src/lib/clock.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { KeyRow, KeyTable } from '../../src/store/keys.ts'
import type { Operation, Steps } from '../../src/store/operation.ts'
import {
  type assetsForm,
  type endForm,
  type newKeyForm,
  type notesForm,
  notesLengthMax,
  type quotaForm,
  type rotationForm,
  type siteForm,
} from './key-forms.ts'

interface KeyChangesDeps {
  readonly keys: Keys
  readonly table: Pick<KeyTable, 'find' | 'update'>
  readonly clock: Clock
  readonly config: Pick<Config, 'UPGRADE_DAYS' | 'FETCH_ALLOW_CIDRS'>
  /** Returns why cards cannot have this brand, going on after its name; undefined if they can. */
  readonly brandFault: (reference: string) => string | undefined
}

/** A key after a change, with what the audit log says about it. */
export interface KeyChange {
  readonly key: KeyRow
  readonly action: string
  readonly detail?: string
  /** The secret that the change has made, to be shown this once. */
  readonly secret?: string
}

/** The sentence about a form that asks for what a key cannot have. Nothing was changed. */
export interface KeyMistake {
  readonly mistake: string
}

/**
 * The operator's changes of keys, for the pages and for the command line. Each is undefined without such a key. The caller
 * adds the entry of the audit log, in the same transaction.
 */
export function createKeyChanges({ keys, table, clock, config, brandFault }: KeyChangesDeps) {
  const readHosts = createHostReader(config.FETCH_ALLOW_CIDRS)

  function readSite({ hosts: list, ...look }: Static<typeof siteForm>): KeySite | KeyMistake {
    const { theme, scheme, accent, brand, picture } = look
    const found = readHosts(list)
    if ('mistake' in found) return { mistake: `The list of hosts ${found.mistake}.` }
    const fault = brand === undefined ? undefined : brandFault(brand)
    if (fault !== undefined) return { mistake: `The brand ${fault}.` }
    return { hosts: found.hosts, look: { theme, scheme, accent, brand, picture } as KeyLook }
  }

  function* site(id: string, form: Static<typeof siteForm>): Steps<KeyChange | KeyMistake | undefined> {
    const read = readSite(form)
    if ('mistake' in read) return read
    yield* keys.setHosts(id, read.hosts)
    const detail = describeSite(read).join(', ') || 'no hosts, default look'
    return yield* changed(keys.setLook(id, read.look), 'key.site', detail)
  }

  return {
    *create(form: Static<typeof newKeyForm>): Steps<KeyChange | KeyMistake> {
      const { name, quota = null, expires } = form
      const read = readSite(form)
      if ('mistake' in read) return read
      const allowed = readAssets(form)
      if ('mistake' in allowed) return allowed
      const notes = readNotes(form)
      if (typeof notes !== 'string') return notes
      const expiresAtMs = endAfter(expires, clock.now())
      const pair = yield* keys.create({ name, dailyQuota: quota, expiresAtMs, ...read, ...allowed, notes })
      const parts = [
        describeQuota(quota),
        ...(expiresAtMs === null ? [] : [namedEnd(expiresAtMs)]),
        ...(allowed.assets.length === 0 ? [] : [describeAssets(allowed.assets)]),
        ...describeSite(read),
      ]
      return { ...pair, action: 'key.create', detail: parts.join(', ') }
    },
    *rotate(
      id: string,
      { leaked, overlap: hours, since }: Static<typeof rotationForm>,
    ): Steps<KeyChange | undefined> {
      const pair = leaked
        ? yield* keys.rotateLeaked(id, since ?? 0)
        : yield* keys.rotate(id, Number(hours) * hourMs)
      if (pair === undefined) return undefined
      const addresses = since === undefined ? 'all its addresses' : `its addresses since ${isoDay(since)}`
      const before = leaked ? `leaked: ended with ${addresses}` : `for ${hours} h more`
      const detail = `version ${pair.key.version}, the one before ${before}`
      return { ...pair, action: 'key.rotate', detail }
    },
    site,
    /** Changes these fields of the site, and leaves the others as they are. */
    *siteFields(id: string, form: Static<typeof siteForm>, names: readonly string[]) {
      const key = yield* table.find(id)
      if (key === undefined) return undefined
      const before = Object.entries({ hosts: hostsOf(key).join(','), ...keyLookOf(key) })
      return yield* site(id, {
        ...form,
        ...Object.fromEntries(before.filter(([name]) => !names.includes(name))),
      })
    },
    quota(id: string, { quota: given }: Static<typeof quotaForm>) {
      const quota = given ?? null
      return changed(keys.setDailyQuota(id, quota), 'key.quota', describeQuota(quota))
    },
    expires(id: string, { expires }: Static<typeof endForm>) {
      const expiresAtMs = endAfter(expires, clock.now())
      return changed(keys.setEnd(id, expiresAtMs), 'key.expires', namedEnd(expiresAtMs))
    },
    *assets(id: string, form: Static<typeof assetsForm>): Steps<KeyChange | KeyMistake | undefined> {
      const read = readAssets(form)
      if ('mistake' in read) return read
      return yield* changed(keys.setAssets(id, read.assets), 'key.assets', describeAssets(read.assets))
    },
    *notes(id: string, form: Static<typeof notesForm>): Steps<KeyChange | KeyMistake | undefined> {
      const notes = readNotes(form)
      if (typeof notes !== 'string') return notes
      return yield* changed(table.update(id, { notes }), 'key.notes', notes === '' ? 'none' : 'written')
    },
    rename: (id: string, name: string) => changed(table.update(id, { name }), 'key.rename', name),
    revoke: (id: string) => changed(keys.revoke(id), 'key.revoke'),
    restore: (id: string) => changed(keys.restore(id), 'key.restore'),
    /** @param isOff ends the upgrade */
    upgrade(id: string, isOff: boolean) {
      if (isOff) return changed(keys.upgrade(id, null), 'key.upgrade', 'ended')
      const days = config.UPGRADE_DAYS
      const untilMs = days === 0 ? forever : clock.now() + days * dayMs
      return changed(keys.upgrade(id, untilMs), 'key.upgrade', days === 0 ? 'for good' : `${days} days`)
    },
  }
}

function* changed(
  change: Operation<KeyRow | undefined>,
  action: string,
  detail?: string,
): Steps<KeyChange | undefined> {
  const key = yield* change
  return key && { key, action, ...(detail !== undefined && { detail }) }
}

/** The hosts whose pages show cards of the key without a signature, and the look of these cards. */
interface KeySite {
  readonly hosts: readonly string[]
  readonly look: KeyLook
}

function describeSite({ hosts, look }: KeySite): readonly string[] {
  const parts = lookNames.flatMap((name) => (look[name] === undefined ? [] : `${name} ${look[name]}`))
  return [...(hosts.length === 0 ? [] : [`hosts ${hosts.join(' ')}`]), ...parts]
}

function readAssets({ assets }: Static<typeof assetsForm>) {
  const read = readKeyAssets(assets.join(','))
  return 'mistake' in read ? { mistake: `The list of assets ${read.mistake}.` } : read
}

function describeAssets(assets: readonly string[]): string {
  return assets.length === 0 ? 'every asset' : `assets ${assets.join(' ')}`
}

function readNotes(form: Static<typeof notesForm>): string | KeyMistake {
  const notes = form.notes.replaceAll('\r\n', '\n')
  if (notes.length <= notesLengthMax) return notes
  return { mistake: `Notes have at most ${notesLengthMax} characters.` }
}

function describeQuota(quota: number | null): string {
  return quota === null ? 'default quota' : `${quota} a day`
}

function endAfter(days: number | undefined, nowMs: number): number | null {
  return days === undefined ? null : nowMs + days * dayMs
}

function namedEnd(expiresAtMs: number | null): string {
  return expiresAtMs === null ? 'no end' : `ends ${formatTime(expiresAtMs)} UTC`
}
