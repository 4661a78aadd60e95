import { type AssetForm, type Field, fieldsOf } from './form.ts'

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
