import type { Static, TObject } from '@sinclair/typebox'
import type { Command } from 'commander'
import { createKeyChanges, type KeyChange } from '../../../admin/keys/key-changes.ts'
import {
  decoderOf,
  type KeyForm,
  type KeyMistake,
  keyForms,
  keyJson,
  newKeyForm,
  overlapHours,
  rotationForm,
} from '../../../admin/keys/key-fields.ts'
import { decodeForm } from '../../../admin/session/form-fields.ts'
import { readKeyUsage } from '../../access/key-quota.ts'
import { createKeys, keyFault } from '../../access/keys.ts'
import { checkMasterKey, createSecrets, masterKeyOf } from '../../access/secrets.ts'
import type { Config } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Steps } from '../../store/database.ts'
import type { KeyRow } from '../../store/keys.ts'
import type { Store } from '../../store/open.ts'
import { retryWhileLocked } from '../../store/store-error.ts'
import { storedBrands, withStore } from '../installation.ts'
import { type CommandTexts, commandOf, onceOption } from '../parameter-options.ts'
import type { CommandContext, Environment } from '../runtime.ts'
import texts from './key.json' with { type: 'json' }

export function keyCommand(context: CommandContext): Command {
  const command = commandOf('key', texts.key).helpCommand(false)
  const others = [listCommand(context), showCommand(context), ...changeCommands(context)]
  for (const each of [createCommand(context), ...others])
    command.addCommand(each.option('--json', 'print JSON').addHelpText('after', `\n${texts.key.help}`))
  return command
}

function createCommand({ env, print }: CommandContext): Command {
  const command = commandOf('create', texts.create)
  for (const option of formOptions([...keyForms.values()].flat())) command.addOption(option)
  return command.action(async () => {
    const { json = false, ...options } = command.opts<Readonly<Record<string, string>> & { json?: boolean }>()
    const form = decodeOptions(newKeyForm, options)
    const create = async ({ change }: OpenKeys) => change((changes) => changes.create(form))
    await withKeys(env, async (keys) => print(changeText(await create(keys), json)), true)
  })
}

function listCommand({ env, print }: CommandContext): Command {
  return commandOf('list', texts.list).action(({ json = false }: { readonly json?: boolean }) =>
    withKeys(env, ({ store }) => printList(store, json, print)),
  )
}

const rowsPerPage = 500

async function printList({ keyList }: Store, asJson: boolean, print: (text: string) => void): Promise<void> {
  const nowMs = systemClock.now()
  let rows = await keyList.newest('any', rowsPerPage)
  if (rows.length === 0) return print(asJson ? '[]' : 'There are no keys.')
  let before = '['
  while (rows.length > 0) {
    const lines = rows.map((key) => {
      if (asJson) return JSON.stringify(printedKey(key, nowMs))
      const [status, quota] = [statusOf(key, nowMs).padEnd(7), quotaText(key.dailyQuota).padEnd(13)]
      return `${key.id}  ${status}  ${quota}  ${key.name}`.trimEnd()
    })
    print(asJson ? before + lines.join(',\n') : lines.join('\n'))
    before = ','
    rows = await keyList.newest('any', rowsPerPage, rows.at(-1)?.id)
  }
  if (asJson) print(']')
}

function showCommand({ env, print }: CommandContext): Command {
  return commandOf('show', texts.show).action((id: string, { json = false }: { readonly json?: boolean }) =>
    withKeys(env, async ({ store, config }) => {
      const key = await store.keys.find(id)
      if (key === undefined) throw new Error(noSuchKey)
      const nowMs = systemClock.now()
      const usage = await readKeyUsage(store.usage, key, config.KEY_DAILY_QUOTA, nowMs)
      const { used, limit, remaining, lastDays } = usage
      const use = { used_today: used, limit, remaining, last_7_days: lastDays }
      print(valuesText({ ...printedKey(key, nowMs), ...use }, json))
    }),
  )
}

type Change = (
  changes: KeyChanges,
  id: string,
  options: GivenOptions,
  value: string,
) => Steps<KeyChange | KeyMistake | undefined>

function changeCommands({ env, print }: CommandContext): readonly Command[] {
  function changing(name: string, about: CommandTexts, change: Change): Command {
    const given = { ...about, arguments: texts.show.arguments }
    const command = commandOf(name, given, { '--overlap': overlapHours })
    return command.action(async (id: string, second: unknown) => {
      const { json, ...options } = command.opts<GivenOptions>()
      const value = typeof second === 'string' ? second : ''
      await withKeys(env, async (keys) => {
        const changed = await keys.change((changes) => change(changes, id, options, value))
        print(changeText(changed, json === true))
      })
    })
  }
  const site = changing('site', texts.site, (keys, id, options) => keys.site(id, ...decodeSite(options)))
  for (const option of formOptions(siteForms)) site.addOption(option)
  // Each sets one field, whose value is the second argument.
  const fields = [...keyForms].flatMap(([action, forms]) =>
    forms.flatMap(({ command, inputs }) => {
      if (command === undefined) return []
      const [input = action] = Object.keys(inputs)
      const set: Change = (changes, id, _, value) => {
        const given = value === command.none ? {} : { [input]: value }
        return changes.set(id, action, decodeOptions(decoderOf(forms), given))
      }
      return changing(command.name, command, set).argument(...command.value)
    }),
  )
  return [
    site,
    ...fields,
    changing('rotate', texts.rotate, (keys, id, options) => keys.rotate(id, decodeRotation(options))),
    changing('revoke', texts.revoke, (changes, id) => changes.revoke(id)),
    changing('restore', texts.restore, (changes, id) => changes.restore(id)),
  ]
}

const siteForms = keyForms.get('site') ?? []

function decodeSite(given: GivenOptions): readonly [values: object, names: readonly string[]] {
  const names = Object.keys(given)
  if (names.length === 0) throw new Error('There is nothing to change: name --hosts or a part of the look.')
  const isSet = Object.entries(given).filter(([, value]) => value !== 'none')
  return [decodeOptions(decoderOf(siteForms), Object.fromEntries(isSet)), names]
}

function decodeRotation({ leaked = false, overlap, since }: GivenOptions): Static<typeof rotationForm> {
  if (since !== undefined && !leaked) throw new Error('--since is only for --leaked.')
  if (overlap !== undefined && leaked)
    throw new Error('--overlap is not for --leaked: that secret ends at once.')
  return decodeOptions(rotationForm, { overlap, since, leaked: leaked ? '1' : undefined })
}

type GivenOptions = Readonly<Record<string, string | boolean | undefined>>

function formOptions(forms: readonly KeyForm[]) {
  return forms.flatMap(({ inputs }) =>
    Object.entries(inputs).map(([name, { option }]) => onceOption(`--${name} ${option[0]}`, option[1])),
  )
}

/** Reads options by the rules of the operator's forms. Throws the sentence about the first wrong one. */
function decodeOptions<Fields extends TObject>(fields: Fields, options: GivenOptions): Static<Fields> {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    // A form takes an empty field for a missing one, but here it is a variable of a script that was not set.
    if (String(value).trim() === '') throw new Error(`--${name} is empty.`)
    sent.set(name, String(value))
  }
  const { value, mistake } = decodeForm(fields, sent)
  if (mistake !== undefined) throw new Error(mistake)
  return value
}

function printedKey(key: KeyRow, nowMs: number) {
  const { id, name, ...others } = keyJson(key)
  return { id, name, status: statusOf(key, nowMs), ...others }
}

function changeText({ key, secret }: KeyChange, asJson: boolean): string {
  const { id, ...shown } = printedKey(key, systemClock.now())
  return valuesText({ id, ...(secret !== undefined && { secret }), ...shown }, asJson)
}

function valuesText(values: Readonly<Record<string, unknown>>, asJson: boolean): string {
  if (asJson) return JSON.stringify(values, null, 2)
  const rows = Object.entries(values).flatMap(([name, value]) => {
    const text = valueText(name, value)
    return text === '' ? [] : `${name.replaceAll('_', ' ').padEnd(16)}${text}`
  })
  return rows.join('\n')
}

function valueText(name: string, value: unknown): string {
  if (name === 'quota') return quotaText(value)
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(', ')
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value ?? {})
  return parts.map(([part, of]) => (part === 'day' ? of : `${part} ${of}`)).join(' ')
}

function quotaText(quota: unknown): string {
  return typeof quota === 'number' ? `${quota} a day` : 'default quota'
}

function statusOf(key: KeyRow, nowMs: number): 'active' | 'revoked' | 'ended' {
  const fault = keyFault(key, nowMs)
  return fault === undefined ? 'active' : fault === 'revoked_key' ? 'revoked' : 'ended'
}

type KeyChanges = ReturnType<typeof createKeyChanges>

interface OpenKeys {
  readonly config: Config
  readonly store: Store
  readonly change: Awaited<ReturnType<typeof createChange>>
}

const author = { actor: 'mintmark key', address: 'local' } as const

function withKeys(env: Environment, work: (keys: OpenKeys) => Promise<void>, makesDatabase = false) {
  return withStore(env, makesDatabase, async (store, config) => {
    await work({ config, store, change: await createChange(config, store) })
  })
}

/** Returns what makes a change and its entry in the audit log. It throws for no such key, or one that cannot have that. */
async function createChange(config: Config, store: Store) {
  const secrets = createSecrets(await masterKeyOf(config, store))
  await checkMasterKey(store, secrets)
  const clock = systemClock
  const keys = createKeys(store, secrets, clock)
  const brands = await storedBrands(store.brands)
  function brandFault(reference: string): string | undefined {
    const resolved = brands.resolve(reference)
    return typeof resolved === 'string' ? resolved : undefined
  }
  const changes = createKeyChanges({ keys, clock, config, brandFault })
  return async (work: (changes: KeyChanges) => Steps<KeyChange | KeyMistake | undefined>) => {
    function* audited(): Steps<KeyChange | KeyMistake | undefined> {
      const outcome = yield* work(changes)
      if (outcome === undefined || 'mistake' in outcome) return outcome
      const { key, action, detail = '' } = outcome
      yield* store.audit.add({ ...author, atMs: clock.now(), action, subject: key.id, detail })
      return outcome
    }
    const options = { durable: true, locks: ['operator'] } as const
    const outcome = await retryWhileLocked(() => store.transaction(audited, options))
    if (outcome === undefined) throw new Error(noSuchKey)
    if ('mistake' in outcome) throw new Error(outcome.mistake)
    return outcome
  }
}

const noSuchKey = 'There is no such key. "mintmark key list" prints all.'
