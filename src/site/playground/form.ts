import type { Asset, Playground } from '../../assets/kit/asset.ts'
import { type Parameter, parametersOf } from '../reference/parameters.ts'

/** One control of the form. Bounds, choices and defaults come from the catalog. */
export interface Field extends Pick<Parameter, 'name' | 'description' | 'required' | 'whenMissing'> {
  readonly label: string
  /** The value that applies if the parameter is not sent; empty if other things decide it. */
  readonly fallback: string
  readonly control: Control
}

export type Control =
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'number'; readonly minimum: number; readonly maximum: number; readonly step: string }
  /** `maxLength` in code points. */
  | { readonly type: 'text' | 'url'; readonly maxLength?: number }

/** The form of an asset: what most people want in rows, everything else behind a fold. */
export interface AssetForm {
  readonly asset: Asset
  readonly example: Readonly<Record<string, string>>
  /** Whether the answer is fetched from another site, and so not at each key press. */
  readonly isLive: boolean
  readonly hasProgress: boolean
  /** A row of two stands side by side. */
  readonly rows: readonly (readonly Field[])[]
  readonly more: readonly Field[]
}

/** @param hasBrands whether there is a brand for everybody */
export function assetForm(asset: Asset, hasBrands: boolean): AssetForm {
  const required = asset.query.required ?? []
  const { playground = { rows: required.map((name) => [name]), example: asset.example } } = asset
  const { rows, example, labels = {}, hasProgress = false }: Omit<Playground, 'tab'> = playground
  const { hidden = [], ofBrands = [] }: Omit<Playground, 'tab'> = playground
  const shown = new Set([...rows.flat(), ...hidden, ...(hasBrands ? [] : ofBrands)])
  const fields = parametersOf(asset.query).map((parameter) => fieldOf(parameter, labels))
  return {
    asset,
    example,
    isLive: asset.isLive === true || asset.readsPages === true,
    hasProgress,
    rows: rows.map((row) => row.flatMap((name) => fields.filter((field) => field.name === name))),
    more: fields.filter(({ name }) => !shown.has(name)),
  }
}

/** The address of the playground's tab for an asset. */
export function tabAddress(assetId: string): string {
  return `/?kind=${assetId}#play`
}

function fieldsOf(form: AssetForm): readonly Field[] {
  return [...form.rows.flat(), ...form.more]
}

function fieldOf(parameter: Parameter, labels: Playground['labels'] = {}): Field {
  const { name, required, description, fallback = '', whenMissing, schema } = parameter
  const label = labels[name] ?? spelledOut(name)
  return { name, label, description, required, fallback, whenMissing, control: controlOf(schema) }
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
  if (format === 'page-url') return { type: 'url' }
  return { type: 'text', ...(typeof maxLength === 'number' && { maxLength }) }
}

/** `labelColor` and `font-size` as people write them. */
function spelledOut(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('-', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The values of the playground's form. */
export interface PlaygroundState {
  readonly form: AssetForm
  readonly values: Readonly<Record<string, string>>
  /** The query of the asset: parameters that differ from their default, without credentials. */
  readonly query: URLSearchParams
  /** The page was opened without parameters, so the form shows the example. */
  readonly isExample: boolean
}

/** Reads the form's state from the page's query: the example if it has no field, else exactly what was sent. */
export function playgroundState(form: AssetForm, sent: URLSearchParams): PlaygroundState {
  const fields = fieldsOf(form)
  const isExample = !fields.some(({ name }) => sent.has(name))
  const values = Object.fromEntries(
    fields.map((field) => {
      const value = isExample ? form.example[field.name] : sent.get(field.name)
      return [field.name, knownChoice(field, value ?? '') || field.fallback]
    }),
  )
  const given = fields.flatMap(({ name, fallback }): [string, string][] => {
    const value = values[name] ?? ''
    return value === '' || value === fallback ? [] : [[name, value]]
  })
  return { form, values, query: new URLSearchParams(given), isExample }
}

/** An unknown choice becomes none, so that old URLs still show something. */
function knownChoice({ control }: Field, value: string): string {
  return control.type === 'choice' && !control.values.includes(value) ? '' : value
}
