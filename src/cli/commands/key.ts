import type { Static, TObject } from '@sinclair/typebox'
import { Command } from 'commander'
import type { KeyChange, KeyMistake } from '../../../admin/actions/key-changes.ts'
import {
  assetsForm,
  endForm,
  newKeyForm,
  notesForm,
  overlapHours,
  quotaForm,
  rotationForm,
  siteForm,
} from '../../../admin/data/key-limits.ts'
import { decodeForm } from '../../../admin/session/form-fields.ts'
import { keyAssetIds } from '../../access/key-assets.ts'
import { keyLook, lookNames } from '../../access/key-look.ts'
import { readKeyUsage } from '../../access/key-usage.ts'
import { systemClock } from '../../lib/clock.ts'
import { allowedValues } from '../../lib/fields.ts'
import type { Store } from '../../store/open.ts'
import type { Steps } from '../../store/operation.ts'
import { keyJson, keyLine, keyText } from '../keys/key-output.ts'
import { type KeyChanges, noSuchKey, withKeys } from '../keys/open-keys.ts'
import { choiceOption, onceOption } from '../parameter-options.ts'
import type { Environment } from '../runtime.ts'

interface KeyCommandDeps {
  readonly env: Environment
  readonly print: (text: string) => void
}

const settings =
  '\nIt reads DATA_DIR and DATABASE_URL, as the service does. The service may run meanwhile, as the same user.'
const keyArgument = ['<key>', 'its id, mk_…'] as const
const jsonOption = ['--json', 'print JSON'] as const

/** `key create`, `key list` and so on: the keys of an installation. */
export function keyCommand(env: Environment, print: (text: string) => void): Command {
  const deps = { env, print }
  const command = new Command('key')
    .description('create, list and change keys')
    .addHelpText('after', settings)
  const subcommands = [createCommand(deps), listCommand(deps), showCommand(deps), ...changeCommands(deps)]
  for (const subcommand of subcommands) command.addCommand(subcommand.addHelpText('after', settings))
  return command
}

function createCommand({ env, print }: KeyCommandDeps): Command {
  const command = new Command('create')
    .description('create a key, and print its secret this once')
    .addOption(onceOption('--name <text>', 'what it is for, in the lists'))
    .addOption(onceOption('--quota <calls>', 'calls a day; the default quota when missing'))
    .addOption(onceOption('--expires <days>', 'days after which it ends; none when missing'))
    .addOption(onceOption('--assets <assets>', `og,badge,… that it may call; every asset when missing`))
    .addOption(onceOption('--notes <text>', 'what only operators see'))
    .addOption(onceOption('--hosts <hosts>', 'example.com,… whose pages show cards by its public site id'))
  for (const name of lookNames) command.addOption(lookOption(name))
  return command.option(...jsonOption).action(async () => {
    const { json = false, ...options } = command.opts<Readonly<Record<string, string>> & { json?: boolean }>()
    const form = decode(newKeyForm, options)
    await withKeys(
      env,
      async ({ change }) => print(changeText(await change((changes) => changes.create(form)), json)),
      true,
    )
  })
}

function lookOption(name: (typeof lookNames)[number]) {
  const field = keyLook.properties[name]
  const values = allowedValues(field) ?? [name === 'brand' ? 'its slug, or slug@revision' : 'a CSS colour']
  return onceOption(`--${name} <value>`, `of these cards: ${values.join(', ')}`)
}

function listCommand({ env, print }: KeyCommandDeps): Command {
  return new Command('list')
    .description('print every key, newest first')
    .option(...jsonOption)
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      await withKeys(env, ({ store }) => printList(store, json, print))
    })
}

const rowsPerPage = 500

async function printList({ keyList }: Store, asJson: boolean, print: (text: string) => void): Promise<void> {
  const nowMs = systemClock.now()
  let rows = await keyList.newest('any', rowsPerPage)
  if (rows.length === 0) return print(asJson ? '[]' : 'There are no keys.')
  let before = '['
  while (rows.length > 0) {
    const lines = rows.map((key) => (asJson ? JSON.stringify(keyJson(key, nowMs)) : keyLine(key, nowMs)))
    print(asJson ? before + lines.join(',\n') : lines.join('\n'))
    before = ','
    rows = await keyList.newest('any', rowsPerPage, rows.at(-1)?.id)
  }
  if (asJson) print(']')
}

function showCommand({ env, print }: KeyCommandDeps): Command {
  return new Command('show')
    .description('print a key and its use')
    .argument(...keyArgument)
    .option(...jsonOption)
    .action(async (id: string, { json = false }: { readonly json?: boolean }) => {
      await withKeys(env, async ({ store, config }) => {
        const key = await store.keys.find(id)
        if (key === undefined) throw noSuchKey()
        const deps = { usage: store.usage, clock: systemClock, keyDailyQuota: config.KEY_DAILY_QUOTA }
        const { used, limit, remaining, lastDays } = await readKeyUsage(deps, key)
        const use = { used_today: used, limit, remaining, last_7_days: lastDays }
        print(text({ ...keyJson(key, systemClock.now()), ...use }, json))
      })
    })
}

type Given = Readonly<Record<string, string | boolean | undefined>>

function changeCommands({ env, print }: KeyCommandDeps): readonly Command[] {
  /** @param value the second argument of the command, where it has one */
  function changing(
    name: string,
    description: string,
    change: (
      changes: KeyChanges,
      id: string,
      options: Given,
      value: string,
    ) => Steps<KeyChange | KeyMistake | undefined>,
    value?: readonly [name: string, description: string],
  ): Command {
    const command = new Command(name).description(description).argument(...keyArgument)
    if (value !== undefined) command.argument(...value)
    return command.option(...jsonOption).action(async (id: string, second: unknown) => {
      const { json, ...options } = command.opts<Given>()
      const given = typeof second === 'string' ? second : ''
      await withKeys(env, async (keys) => {
        const changed = await keys.change((changes) => change(changes, id, options, given))
        print(changeText(changed, json === true))
      })
    })
  }

  const site = changing(
    'site',
    'set its hosts and the look of their cards; others stay, none takes away',
    (changes, id, options) => changes.siteFields(id, ...decodeSite(options)),
  ).addOption(onceOption('--hosts <hosts>', 'example.com,… whose pages show cards by its public site id'))
  for (const name of lookNames) site.addOption(lookOption(name))
  return [
    site,
    changing(
      'limit',
      'set how many calls it has a day',
      (changes, id, _, quota) => changes.quota(id, decode(quotaForm, quota === 'default' ? {} : { quota })),
      ['<calls>', 'a number, or default for the default quota'],
    ),
    changing(
      'expire',
      'set when it ends',
      (changes, id, _, expires) =>
        changes.expires(id, decode(endForm, expires === 'never' ? {} : { expires })),
      ['<days>', 'days from now, or never'],
    ),
    changing(
      'assets',
      'set which assets it may call',
      (changes, id, _, assets) => changes.assets(id, decode(assetsForm, { assets })),
      ['<assets>', `all, or some of ${keyAssetIds.join(',')}`],
    ),
    changing(
      'notes',
      'set what only operators see',
      (changes, id, _, notes) => changes.notes(id, decode(notesForm, notes === '' ? {} : { notes })),
      ['<text>', "the notes; '' for none"],
    ),
    changing('rotate', 'give it a new secret, and print it this once', (changes, id, options) =>
      changes.rotate(id, decodeRotation(options)),
    )
      .addOption(
        choiceOption('--overlap <hours>', 'the old secret is accepted so long, else 24', overlapHours),
      )
      .option('--leaked', 'end the old secret at once, with every address first counted under it')
      .addOption(
        onceOption('--since <day>', 'with --leaked: only addresses first counted since 2026-11-26, …'),
      ),
    changing('revoke', 'refuse every use of it', (changes, id) => changes.revoke(id)),
    changing('restore', 'take back that it was revoked', (changes, id) => changes.restore(id)),
  ]
}

function decodeSite(given: Given): readonly [form: Static<typeof siteForm>, names: readonly string[]] {
  const names = Object.keys(given)
  if (names.length === 0) throw new Error('There is nothing to change: name --hosts or a part of the look.')
  const isSet = Object.entries(given).filter(([, value]) => value !== 'none')
  return [decode(siteForm, Object.fromEntries(isSet)), names]
}

function decodeRotation({ leaked = false, overlap, since }: Given): Static<typeof rotationForm> {
  if (since !== undefined && !leaked) throw new Error('--since is only for --leaked.')
  if (overlap !== undefined && leaked)
    throw new Error('--overlap is not for --leaked: that secret ends at once.')
  return decode(rotationForm, { overlap, since, leaked: leaked ? '1' : undefined })
}

/** Reads options by the rules of the operator's forms. Throws the sentence about the first wrong one. */
function decode<Fields extends TObject>(fields: Fields, options: Given): Static<Fields> {
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

function changeText({ key, secret }: KeyChange, asJson: boolean): string {
  const { id, ...shown } = keyJson(key, systemClock.now())
  return text({ id, ...(secret !== undefined && { secret }), ...shown }, asJson)
}

function text(values: Readonly<Record<string, unknown>>, asJson: boolean): string {
  return asJson ? JSON.stringify(values, null, 2) : keyText(values)
}
