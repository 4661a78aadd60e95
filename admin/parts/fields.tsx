/** @jsxImportSource #jsx */
import type { TSchema } from '@sinclair/typebox'
import { allowedValues } from '../../src/lib/fields.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { capitalized } from '../../src/lib/texts.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

export interface FormField {
  readonly name: string
  readonly label: string
  readonly schema?: TSchema
  readonly whenEmpty?: string
  readonly hint?: Child
  readonly attributes?: Attributes
}

export function field(each: FormField, value = '', mistake?: string): Markup {
  const { schema = {}, whenEmpty = '', attributes = {} } = each
  return labelled(each, mistake, (common) => {
    const values = allowedValues(schema as TSchema)
    const control = { ...common, ...inputBounds(schema), ...attributes }
    if (values)
      return (
        <select {...control}>
          {whenEmpty !== '' && <option value="">{whenEmpty}</option>}
          {values.map((option) => (
            <option value={option} selected={option === value}>
              {capitalized(option)}
            </option>
          ))}
        </select>
      )
    if ('rows' in attributes) return <textarea {...control}>{value}</textarea>
    return <input value={value} autocomplete="off" {...control} />
  })
}

export function labelled(
  { name, label, hint }: Pick<FormField, 'name' | 'label' | 'hint'>,
  mistake: string | undefined,
  control: (attributes: Attributes) => Child,
): Markup {
  const described = [mistake && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return (
    <div data-field={name}>
      <label for={name}>{label}</label>
      {control({
        id: name,
        name,
        ...(described && { 'aria-describedby': described }),
        ...(mistake !== undefined && { 'aria-invalid': 'true' }),
      })}
      {mistake !== undefined && (
        <p class="problem" id={`${name}-problem`}>
          {mistake}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

function inputBounds({ type, format, maxLength, minimum, maximum }: Partial<TSchema>): Attributes {
  if (type === 'integer') return { type: 'number', min: minimum, max: maximum }
  if (format === 'date') return { type: 'date' }
  return { spellcheck: 'false', ...(maxLength !== undefined && { maxlength: maxLength }) }
}

export function ticks(
  name: string,
  boxes: readonly { readonly value: string; readonly label: Child; readonly isTicked: boolean }[],
): Markup {
  return (
    <div class="ticks grid">
      {boxes.map(({ value, label, isTicked }) => (
        <label class="tick">
          <input type="checkbox" name={name} value={value} checked={isTicked} /> {label}
        </label>
      ))}
    </div>
  )
}
