import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import {
  assetsOf,
  type HostReader,
  hostsLengthMax,
  hostsMax,
  hostsOf,
  type KeyLook,
  keyAssetIds,
  keyLook,
  keyLookOf,
  lookNames,
  readKeyAssets,
} from '../../src/access/key-limits.ts'
import { type KeyOptions, keyDaysMax } from '../../src/access/keys.ts'
import { usualTheme } from '../../src/assets/og/themes.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { allowedValues, choice } from '../../src/lib/fields.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import { fill } from '../../src/lib/texts.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { type CsvColumns, isoTimeOf } from '../lists/csv.ts'
import type { FormField } from '../parts/fields.tsx'
import { dayField } from '../session/form-fields.ts'
import source from './key-forms.json' with { type: 'json' }

/** The sentence about a form that asks for what a key cannot have. Nothing was changed. */
export interface KeyMistake {
  readonly mistake: string
}

export interface KeyRules {
  readonly nowMs: number
  readonly readHosts: HostReader
  /** Returns why cards cannot have this brand, going on after its name; undefined if they can. */
  readonly brandFault: (reference: string) => string | undefined
}

interface KeyInput extends Omit<FormField, 'name' | 'schema'> {
  readonly option: readonly [value: string, description: string]
}

export interface KeyForm<Values = object> {
  readonly action: string
  readonly values: TProperties
  readonly inputs: Readonly<Record<string, KeyInput>>
  readonly command?:
    | {
        readonly name: string
        readonly description: string
        readonly value: readonly [value: string, description: string]
        readonly none: string
      }
    | undefined
  read(values: Values, rules: KeyRules): KeyOptions | KeyMistake
  /** The field in the audit log; undefined where it has nothing in it, which `none` says. */
  readonly describe: (key: KeyRow) => string | undefined
  readonly none: string
}

export interface KeyField {
  readonly name: string
  readonly json?: string
  readonly csv?: string
  readonly value: (key: KeyRow) => string | number | null | readonly string[] | KeyLook
  readonly form?: KeyForm
}

const nameLengthMax = 80
const notesLengthMax = 500
const quotaMax = 1_000_000_000

/** Inputs by name, and commands by their form. Names in braces stand for lists and bounds. */
const texts: {
  readonly inputs: Readonly<Record<string, KeyInput>>
  readonly commands: Readonly<Record<string, KeyForm['command']>>
  readonly mistakes: typeof source.mistakes
} = JSON.parse(
  fill(JSON.stringify(source), {
    hostsMax,
    nameLengthMax,
    notesLengthMax,
    keyDays: keyDaysMax.toLocaleString('en'),
    usualTheme,
    assets: keyAssetIds.join(','),
    ...Object.fromEntries(lookNames.map((name) => [name, valuesOf(keyLook.properties[name])])),
  }),
)

function valuesOf(field: TSchema): string {
  return allowedValues(field)?.join(', ') ?? ''
}

function form<Values extends TProperties>(
  action: string,
  values: Values,
  rest: Pick<KeyForm<Static<TObject<Values>>>, 'read' | 'describe' | 'none'>,
): KeyForm {
  const ownInputs = Object.entries(texts.inputs).filter(([name]) => Object.hasOwn(values, name))
  return { action, values, inputs: Object.fromEntries(ownInputs), command: texts.commands[action], ...rest }
}

function refusing<Values extends TProperties>(values: Values): Values {
  const mistakes: Readonly<Record<string, string>> = texts.mistakes
  const entries = Object.entries(values).map(([name, field]) => [name, { ...field, mistake: mistakes[name] }])
  return Object.fromEntries(entries)
}

const fields = refusing({
  name: Type.String({ maxLength: nameLengthMax, default: '' }),
  quota: Type.Optional(Type.Integer({ minimum: 0, maximum: quotaMax })),
  expires: Type.Optional(Type.Integer({ minimum: 1, maximum: keyDaysMax })),
  hosts: Type.String({ maxLength: hostsLengthMax, default: '' }),
  // Line ends count as two characters here, because forms send them so.
  notes: Type.String({ maxLength: 2 * notesLengthMax, default: '' }),
  // Each asset is a value of its own, or several have commas between them.
  assets: Type.Array(Type.String({ enum: keyAssetIds }), { maxItems: 100, default: [] }),
})

function only<Name extends keyof typeof fields>(name: Name): Pick<typeof fields, Name> {
  return { [name]: fields[name] } as Pick<typeof fields, Name>
}

export const keyFields: readonly KeyField[] = [
  { name: 'id', value: ({ id }) => id },
  {
    name: 'name',
    value: (key) => key.name,
    form: form('rename', only('name'), {
      read: ({ name }) => ({ name }),
      describe: ({ name }) => name,
      none: '',
    }),
  },
  { name: 'created', json: 'created_at', value: ({ createdAtMs }) => isoTimeOf(createdAtMs) },
  { name: 'revoked', json: 'revoked_at', value: ({ revokedAtMs }) => isoTimeOf(revokedAtMs) },
  {
    name: 'quota',
    csv: 'daily_quota',
    value: ({ dailyQuota }) => dailyQuota,
    form: form('quota', only('quota'), {
      read: ({ quota = null }) => ({ dailyQuota: quota }),
      describe: ({ dailyQuota }) => (dailyQuota === null ? 'default quota' : `${dailyQuota} a day`),
      none: '',
    }),
  },
  { name: 'unlimited_until', value: ({ unlimitedUntilMs }) => isoTimeOf(unlimitedUntilMs) },
  {
    name: 'expires',
    json: 'expires_at',
    value: ({ expiresAtMs }) => isoTimeOf(expiresAtMs),
    form: form('expires', only('expires'), {
      read: ({ expires }, { nowMs }) => ({
        expiresAtMs: expires === undefined ? null : nowMs + expires * dayMs,
      }),
      describe: ({ expiresAtMs }) =>
        expiresAtMs === null ? undefined : `ends ${formatTime(expiresAtMs)} UTC`,
      none: 'no end',
    }),
  },
  { name: 'secret_version', value: ({ version }) => version },
  { name: 'site', value: ({ siteId }) => siteId },
  {
    name: 'hosts',
    value: hostsOf,
    form: form('site', only('hosts'), {
      read({ hosts }, { readHosts }) {
        const found = readHosts(hosts)
        return 'mistake' in found ? { mistake: `The list of hosts ${found.mistake}.` } : found
      },
      describe: (key) => (key.hosts === '' ? undefined : `hosts ${hostsOf(key).join(' ')}`),
      none: 'no hosts',
    }),
  },
  {
    name: 'look',
    value: keyLookOf,
    form: form('site', refusing(keyLook.properties), {
      read(values, { brandFault }) {
        const fault = values.brand === undefined ? undefined : brandFault(values.brand)
        return fault === undefined ? { look: values } : { mistake: `The brand ${fault}.` }
      },
      describe(key) {
        const parts = Object.entries(keyLookOf(key)).filter(([, value]) => value !== 'auto')
        return parts.length === 0 ? undefined : parts.map((part) => part.join(' ')).join(', ')
      },
      none: 'default look',
    }),
  },
  {
    name: 'assets',
    value: (key) => assetsOf(key) ?? null,
    form: form('assets', only('assets'), {
      read({ assets }) {
        const read = readKeyAssets(assets.join(','))
        return 'mistake' in read ? { mistake: `The list of assets ${read.mistake}.` } : read
      },
      describe: (key) => (key.assets === '' ? undefined : `assets ${assetsOf(key)?.join(' ')}`),
      none: 'every asset',
    }),
  },
  {
    name: 'notes',
    value: (key) => key.notes,
    form: form('notes', only('notes'), {
      read(values) {
        const notes = values.notes.replaceAll('\r\n', '\n')
        return notes.length > notesLengthMax ? { mistake: texts.mistakes.notes } : { notes }
      },
      describe: ({ notes }) => (notes === '' ? undefined : 'notes written'),
      none: 'no notes',
    }),
  },
]

/** The forms by their actions. An action may change several fields at once. */
export const keyForms: ReadonlyMap<string, readonly KeyForm[]> = Map.groupBy(
  keyFields.flatMap(({ form: each }) => each ?? []),
  ({ action }) => action,
)

export const savedForms = ['rename', 'quota', 'assets', 'notes'].flatMap(
  (action) => keyForms.get(action) ?? [],
)

export function decoderOf(forms: readonly KeyForm[]): TObject {
  return Type.Object(Object.assign({}, ...forms.map(({ values }) => values)))
}

export const newKeyForm = decoderOf([...keyForms.values()].flat())

export const keyInputs: ReadonlyMap<string, FormField> = new Map(
  [...keyForms.values()]
    .flat()
    .flatMap(({ inputs, values }) =>
      Object.entries(values).map(
        ([each, schema]) => [each, { label: each, ...inputs[each], name: each, schema }] as const,
      ),
    ),
)

/** Hours for which the old secret is still accepted after a rotation. The first is the default. */
export const overlapHours = ['24', '0', '1', '168'] as const

export const rotationForm = Type.Object({
  overlap: choice(overlapHours, { default: overlapHours[0], description: 'Hours' }),
  leaked: Type.Boolean({ default: false }),
  since: Type.Optional(dayField('The day is a date such as 2026-11-26, in UTC.')),
})

/** A key as JSON. Times are ISO 8601, null for never; a null quota is the default quota, and null assets are all of them. */
export function keyJson(key: KeyRow): Readonly<Record<string, ReturnType<KeyField['value']>>> {
  return Object.fromEntries(keyFields.map((field) => [field.json ?? field.name, field.value(key)]))
}

/** A key as exports have it: lists with commas between their parts, the look in a column a part, which come last. */
export const keyCsv: CsvColumns<KeyRow> = [
  ...keyFields
    .filter((field) => field.name !== 'look')
    .map((field) => [field.csv ?? field.name, (key: KeyRow) => textOf(field.value(key), ',')] as const),
  ...lookNames.map((each) => [each, (key: KeyRow) => keyLookOf(key)[each] ?? null] as const),
]

function textOf(value: ReturnType<KeyField['value']>, comma: string): string | number | null {
  return Array.isArray(value) ? value.join(comma) : (value as string | number | null)
}

export function inputTexts(key: KeyRow): Readonly<Record<string, string>> {
  const fields = keyFields.filter((field) => field.name !== 'look')
  return {
    ...Object.fromEntries(fields.map((field) => [field.name, String(textOf(field.value(key), ', ') ?? '')])),
    ...keyLookOf(key),
  }
}
