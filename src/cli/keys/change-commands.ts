import type { Static } from '@sinclair/typebox'
import { Command } from 'commander'
import type { KeyChange } from '../../../admin/keys/key-changes.ts'
import {
  decoderOf,
  type KeyMistake,
  keyForms,
  overlapHours,
  rotationForm,
} from '../../../admin/keys/key-fields.ts'
import type { Steps } from '../../store/operation.ts'
import { choiceOption, onceOption } from '../parameter-options.ts'
import type { Environment } from '../runtime.ts'
import { decodeOptions, formOptions, type GivenOptions, jsonOption, keyArgument } from './key-options.ts'
import { changeText } from './key-output.ts'
import { type KeyChanges, withKeys } from './open-keys.ts'

interface KeyCommandDeps {
  readonly env: Environment
  readonly print: (text: string) => void
}

interface ChangeCommand {
  readonly name: string
  readonly description: string
  /** The second argument of the command, where it has one. */
  readonly value?: readonly [name: string, description: string]
  /** @param value the second argument */
  readonly change: (
    changes: KeyChanges,
    id: string,
    options: GivenOptions,
    value: string,
  ) => Steps<KeyChange | KeyMistake | undefined>
}

/** The commands that change one key. */
export function changeCommands(deps: KeyCommandDeps): readonly Command[] {
  const site = changing(deps, siteChange)
  for (const option of formOptions(siteForms)) site.addOption(option)
  site.addHelpText('after', '\nWhat is not named stays as it is; none takes away.')
  const rotate = changing(deps, rotation)
    .addOption(choiceOption('--overlap <hours>', 'the old secret is accepted so long, else 24', overlapHours))
    .option('--leaked', 'end the old secret at once, with every address first counted under it')
    .addOption(onceOption('--since <day>', 'with --leaked: only addresses first counted since 2026-11-26, …'))
  return [
    site,
    ...valueChanges.map((each) => changing(deps, each)),
    rotate,
    ...ends.map((end) => changing(deps, end)),
  ]
}

function changing(
  { env, print }: KeyCommandDeps,
  { name, description, value, change }: ChangeCommand,
): Command {
  const command = new Command(name).description(description).argument(...keyArgument)
  if (value !== undefined) command.argument(...value)
  return command.option(...jsonOption).action(async (id: string, second: unknown) => {
    const { json, ...options } = command.opts<GivenOptions>()
    const given = typeof second === 'string' ? second : ''
    await withKeys(env, async (keys) => {
      const changed = await keys.change((changes) => change(changes, id, options, given))
      print(changeText(changed, json === true))
    })
  })
}

const siteForms = keyForms.get('site') ?? []

const siteChange: ChangeCommand = {
  name: 'site',
  description: 'set its hosts and the look of their cards',
  change: (changes, id, options) => changes.site(id, ...decodeSite(options)),
}

/** Each sets one field, whose value is the second argument. */
const valueChanges: readonly ChangeCommand[] = [...keyForms].flatMap(([action, forms]) =>
  forms.flatMap(({ command, inputs }) => {
    if (command === undefined) return []
    const [name = action] = Object.keys(inputs)
    return {
      ...command,
      change: (changes, id, _, value) =>
        changes.set(
          id,
          action,
          decodeOptions(decoderOf(forms), value === command.none ? {} : { [name]: value }),
        ),
    }
  }),
)

const rotation: ChangeCommand = {
  name: 'rotate',
  description: 'give it a new secret, and print it this once',
  change: (changes, id, options) => changes.rotate(id, decodeRotation(options)),
}

const ends: readonly ChangeCommand[] = [
  {
    name: 'revoke',
    description: 'refuse every use of it',
    change: (changes, id) => changes.revoke(id),
  },
  {
    name: 'restore',
    description: 'take back that it was revoked',
    change: (changes, id) => changes.restore(id),
  },
]

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
