import { OptionalKind, type TSchema } from '@sinclair/typebox'
import type { Asset, Playground } from '../../assets/asset.ts'

/** One control of the form. Bounds, choices and defaults come from the catalog. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly required: boolean
  /** What the parameter is when it is not sent; empty where that is decided by other things. */
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

export function assetForm(asset: Asset): AssetForm {
  const required = asset.query.required ?? []
  const { playground = { rows: required.map((name) => [name]), example: asset.example } } = asset
  const { rows, example, labels = {}, hasProgress = false, hidden = [] }: Omit<Playground, 'tab'> = playground
  const shown = new Set([...rows.flat(), ...hidden])
  const rest = Object.keys(asset.query.properties).filter((name) => !shown.has(name))
  function fieldAt(name: string) {
    return fieldOf(name, asset.query.properties[name], labels)
  }
  return {
    asset,
    example,
    isLive: asset.isLive === true,
    hasProgress,
    rows: rows.map((row) => row.flatMap(fieldAt)),
    more: rest.flatMap(fieldAt),
  }
}

/** The address of the playground's tab for an asset. */
export function tabAddress(assetId: string): string {
  return `/?kind=${assetId}#play`
}

export function fieldsOf(form: AssetForm): readonly Field[] {
  return [...form.rows.flat(), ...form.more]
}

function fieldOf(name: string, schema: TSchema | undefined, labels: Playground['labels'] = {}): Field[] {
  if (schema === undefined) return []
  const { default: fallback } = schema
  const required = schema[OptionalKind] !== 'Optional' && fallback === undefined
  return [
    {
      name,
      label: labels[name] ?? spelledOut(name),
      description: String(schema['description'] ?? ''),
      required,
      fallback: fallback === undefined ? '' : String(fallback),
      control: controlOf(schema),
    },
  ]
}

function controlOf(schema: TSchema): Control {
  const { type, minimum, maximum, maxLength, format } = schema
  if (Array.isArray(schema['enum'])) return { type: 'choice', values: schema['enum'] }
  if (type === 'boolean') return { type: 'choice', values: ['true', 'false'] }
  if (type === 'integer' || type === 'number')
    return { type: 'number', minimum, maximum, step: type === 'integer' ? '1' : 'any' }
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
