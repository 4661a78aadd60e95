import { palette } from '../../assets/badge/color-names.ts'
import type { Asset, Playground } from '../../assets/kit/asset.ts'
import { accentColors } from '../../assets/og/accent.ts'
import { templateOf } from '../../assets/og/templates.ts'
import type { Problem } from '../../errors.ts'
import { allowedValues } from '../../lib/fields.ts'
import { capitalized } from '../../lib/texts.ts'
import { type Parameter, parametersOf } from '../reference/parameters.ts'
import { type Choice, cardSamples, choiceOf, wallAvatars, wallBadges, wallCards } from '../sample-pictures.ts'

export interface Field
  extends Pick<Parameter, 'name' | 'description' | 'required' | 'whenMissing' | 'onlyWith'> {
  readonly label: string
  readonly fallback: string
  readonly example: string
  readonly control: Control
}

export type Control =
  | { readonly type: 'choice' | 'segments'; readonly values: readonly string[] }
  | { readonly type: 'lines' }
  | { readonly type: 'pictures'; readonly values: readonly string[]; readonly choice: Choice }
  | { readonly type: 'number'; readonly minimum: number; readonly maximum: number; readonly step: string }
  | { readonly type: 'color'; readonly swatches: readonly Swatch[] }
  /** `maxLength` is in code points. */
  | { readonly type: 'text' | 'url'; readonly maxLength?: number }

/** The form of an asset: what most people want in rows, everything else behind a fold. */
export type AssetForm = ReturnType<typeof formOf>

type FormSource = Omit<Playground, 'tab' | 'second'>

export function assetForms(asset: Asset, hasBrands: boolean): readonly AssetForm[] {
  const { id, title, query, playground } = asset
  const { second } = playground ?? {}
  const rows = (query.required ?? []).map((name) => [name])
  const first = { id, title, names: [], ...(playground ?? { rows }) }
  return [first, ...(second === undefined ? [] : [second])].map((source) => formOf(asset, source, hasBrands))
}

function formOf(
  asset: Asset,
  source: FormSource & { readonly id: string; readonly title: string; readonly names: readonly string[] },
  hasBrands: boolean,
) {
  const {
    rows,
    example = asset.example,
    labels = {},
    hasProgress = false,
    hidden = [],
    ofBrands = [],
  } = source
  const inRows = rows.flat()
  const left = new Set([...inRows, ...hidden, ...(hasBrands ? [] : ofBrands)])
  const fields = parametersOf(asset.query).map((parameter) => fieldOf(parameter, labels))
  function followers(parameter: string | undefined): readonly Field[] {
    return fields.filter(({ onlyWith }) => onlyWith?.parameter === parameter && parameter !== undefined)
  }
  const readsPage = asset.readsPages || source.names.length > 0
  /** The fields whose change asks another site for something, so that they wait for the button. */
  const waits = asset.isLive ? ('all' as const) : readsPage ? ('url' as const) : undefined
  return {
    id: source.id,
    title: source.title,
    asset,
    /** Parameters that an address has for this form and for no other of the asset. */
    ownNames: source.names,
    example,
    waits,
    hasProgress,
    rows: rows.flatMap((names) => {
      const row = names.flatMap((name) => fields.filter((field) => field.name === name))
      const [lines, others] = [true, false].map((isLines) =>
        followers(names[0]).filter(({ control }) => (control.type === 'lines') === isLines),
      )
      return [row.length === 1 ? row.map((field) => wideField(asset, field)) : row, lines ?? [], others ?? []]
    }),
    more: fields.filter(({ name, onlyWith }) => !left.has(name) && onlyWith === undefined),
  }
}

function wideField(asset: Asset, field: Field): Field {
  const { name, control } = field
  if (control.type === 'text') {
    const swatches = swatchesOf(asset.query.properties[name]?.['format'])
    return swatches === undefined ? field : { ...field, control: { type: 'color', swatches } }
  }
  if (control.type !== 'choice') return field
  const { values } = control
  const choice = choiceOf(asset.id, name)
  if (choice !== undefined) return { ...field, control: { type: 'pictures', values, choice } }
  return values.length > segmentsMax ? field : { ...field, control: { type: 'segments', values } }
}

const segmentsMax = 4

/** The form of the tab that an address names, or of the asset that it names, where its parameters belong. */
export function formFor(forms: readonly AssetForm[], sent: URLSearchParams): AssetForm {
  const kind = sent.get('kind')
  const found =
    forms.find(({ asset, ownNames }) => asset.id === kind && ownNames.some((name) => sent.has(name))) ??
    forms.find(({ id }) => id === kind) ??
    forms[0]
  if (found === undefined) throw new Error('The catalog is empty.')
  return found
}

export function tabAddress(formId: string): string {
  return `/?kind=${formId}#play`
}

export function fieldsOf(form: AssetForm): readonly Field[] {
  return [...form.rows.flat(), ...form.more]
}

function fieldOf(parameter: Parameter, labels: FormSource['labels'] = {}): Field {
  const { name, required, description, fallback = '', whenMissing, onlyWith, schema, example } = parameter
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('-', ' ')
  const label = labels[name] ?? capitalized(words.toLowerCase())
  const own = { name, label, description, required, fallback, whenMissing, onlyWith }
  return { ...own, example: String(example ?? ''), control: controlOf(schema) }
}

function controlOf({
  type,
  minimum,
  maximum,
  maxLength,
  format,
  enum: values,
}: Parameter['schema']): Control {
  if (Array.isArray(values)) return { type: 'choice', values }
  if (type === 'boolean') return { type: 'choice', values: ['true', 'false'] }
  if (type === 'integer' || type === 'number') {
    const step = type === 'integer' ? '1' : 'any'
    return { type: 'number', minimum: Number(minimum), maximum: Number(maximum), step }
  }
  if (format === 'code') return { type: 'lines' }
  if (format === 'page-url') return { type: 'url' }
  return { type: 'text', ...(typeof maxLength === 'number' && { maxLength }) }
}

export type PlaygroundState = ReturnType<typeof playgroundState>

/** Reads the form's state from the page's query: the example if it has no field, else exactly what was sent. */
export function playgroundState(whole: AssetForm, sent: URLSearchParams) {
  function isRead({ onlyWith }: Field): boolean {
    return onlyWith === undefined || onlyWith.values.includes(sent.get(onlyWith.parameter) ?? '')
  }
  const rows = whole.rows.map((row) => row.filter(isRead)).filter(({ length }) => length > 0)
  const form = { ...whole, rows, more: whole.more.filter(isRead) }
  const fields = fieldsOf(form)
  // A template that was just chosen shows something.
  const required = templateOf(sent.get('template'))?.required
  const isExample = !fields.some(({ name }) => sent.has(name))
  const values = Object.fromEntries(
    fields.map((field) => {
      // Without JavaScript, a swatch that was pressed stands before the field that has the colour until then.
      const isLacking = field.name === required && !sent.has(field.name)
      const given = isExample ? form.example[field.name] : sent.get(field.name)
      const value = isLacking ? field.example : given
      return [field.name, knownChoice(field, value ?? '') || field.fallback]
    }),
  )
  const given = fields.flatMap(({ name, fallback }): [string, string][] => {
    const value = values[name] ?? ''
    return value === '' || value === fallback ? [] : [[name, value]]
  })
  // The query of the asset has parameters that differ from their default, without credentials.
  return { form, values, query: new URLSearchParams(given), isExample }
}

/** An unknown choice becomes none, so that old URLs still show something. */
function knownChoice({ control }: Field, value: string): string {
  return 'values' in control && !control.values.includes(value) ? '' : value
}

export function fieldProblems({ code, errors }: Problem, form: AssetForm): Readonly<Record<string, string>> {
  if (code !== 'invalid_query') return {}
  const shown = new Set(fieldsOf(form).map(({ name }) => name))
  return Object.fromEntries(
    errors.flatMap(({ parameter, message }) => (shown.has(parameter) ? [[parameter, message]] : [])),
  )
}

export interface Swatch {
  readonly name: string
  readonly value: string
  readonly color: string
}

const accentsMax = 10
const accents = [...accentColors]
  .slice(0, accentsMax)
  .map(([name, color]) => ({ name, value: color.slice(1), color }))
const badgeColors = Object.entries(palette).map(([name, color]) => ({ name, value: name, color }))

export function swatchesOf(format: unknown): readonly Swatch[] | undefined {
  if (format === 'css-color') return accents
  return format === 'color-scale' ? badgeColors : undefined
}

/** Texts to choose among, by the id of the form. */
const shuffleTexts: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  og: [...wallCards.map(({ query }) => query), ...cardSamples],
  badge: wallBadges.map(({ query }) => query),
  avatar: wallAvatars.map(({ query }) => query),
}

const shuffleLooks = ['theme', 'scheme', 'style', 'shape', 'accent', 'color'] as const

export function canShuffle(form: AssetForm): boolean {
  return form.waits !== 'all' && form.asset.priceMicros !== undefined
}

export function shuffleAddress({ id }: AssetForm): string {
  return `/?kind=${id}&shuffle=1#play`
}

/** The form with other texts and another look, as an address relative to the page. `random` is at least 0 and below 1. */
export function shuffled(form: AssetForm, random: () => number = Math.random): string {
  function pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(random() * items.length)]
  }
  const chosen = shuffleLooks.flatMap((name): [string, string][] => {
    const value = pick(valuesOf(form, name))
    return value === undefined ? [] : [[name, value]]
  })
  const said = pick(shuffleTexts[form.id] ?? []) ?? form.example
  const shown = new Set(fieldsOf(form).map(({ name }) => name))
  // A badge has its colour by the new one alone, not by a status.
  const query = Object.entries({ ...said, ...Object.fromEntries(chosen) }).filter(([name]) => shown.has(name))
  return `?${new URLSearchParams([['kind', form.id], ...query])}#play`
}

function valuesOf({ asset, rows }: AssetForm, name: string): readonly string[] {
  const isShown = rows.some((row) => row.some((field) => field.name === name))
  const field = isShown ? asset.query.properties[name] : undefined
  if (field === undefined) return []
  return allowedValues(field) ?? swatchesOf(field['format'])?.map(({ value }) => value) ?? []
}
