import { Command } from 'commander'
import { keyForms, newKeyForm } from '../../../admin/keys/key-fields.ts'
import { readKeyUsage } from '../../access/key-usage.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import { changeCommands } from '../keys/change-commands.ts'
import { decodeOptions, formOptions, jsonOption, keyArgument } from '../keys/key-options.ts'
import { changeText, keyLine, printedKey, valuesText } from '../keys/key-output.ts'
import { noSuchKey, withKeys } from '../keys/open-keys.ts'
import type { Environment } from '../runtime.ts'

interface KeyCommandDeps {
  readonly env: Environment
  readonly print: (text: string) => void
}

const settings =
  '\nIt reads DATA_DIR and DATABASE_URL, as the service does. The service may keep\nrunning, as the same user.'

/** `key create`, `key list` and so on: the keys of an installation. */
export function keyCommand(env: Environment, print: (text: string) => void): Command {
  const deps = { env, print }
  const command = new Command('key')
    .description('create, list and change keys')
    .helpCommand(false)
    .addHelpText('after', settings)
  const subcommands = [createCommand(deps), listCommand(deps), showCommand(deps), ...changeCommands(deps)]
  for (const subcommand of subcommands) command.addCommand(subcommand.addHelpText('after', settings))
  return command
}

function createCommand({ env, print }: KeyCommandDeps): Command {
  const command = new Command('create').description('create a key, and print its secret this once')
  for (const option of formOptions([...keyForms.values()].flat())) command.addOption(option)
  return command.option(...jsonOption).action(async () => {
    const { json = false, ...options } = command.opts<Readonly<Record<string, string>> & { json?: boolean }>()
    const form = decodeOptions(newKeyForm, options)
    await withKeys(
      env,
      async ({ change }) => print(changeText(await change((changes) => changes.create(form)), json)),
      true,
    )
  })
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
    const lines = rows.map((key) => (asJson ? JSON.stringify(printedKey(key, nowMs)) : keyLine(key, nowMs)))
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
        print(valuesText({ ...printedKey(key, systemClock.now()), ...use }, json))
      })
    })
}
