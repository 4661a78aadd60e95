/** @jsxImportSource #jsx */
import type { BrandTextField } from '../../src/brands/brand-form.ts'
import { opaqueColor } from '../../src/lib/css-color.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { type BrandField, type BrandFormState, type ColorField, fieldLabels } from '../data/brand-fields.ts'
import { choiceOptions } from './choice-options.tsx'

/** A field with its label, its hint and its mistake, which screen readers read with it. */
export function labelled(
  { mistakes }: BrandFormState,
  field: BrandField,
  control: (attributes: Readonly<Record<string, string>>) => Child,
  hint?: Child,
): Markup {
  const mistake = mistakes[field]
  const described = [hint && `${field}-hint`, mistake && `${field}-problem`].filter(Boolean).join(' ')
  return (
    <div data-field={field}>
      <label for={field}>{fieldLabels[field]}</label>
      {control({
        id: field,
        name: field,
        ...(described && { 'aria-describedby': described }),
        ...(mistake && { 'aria-invalid': 'true' }),
      })}
      {mistake && (
        <p class="problem" id={`${field}-problem`}>
          {sentence(field, mistake)}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${field}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function sentence(field: BrandField, mistake: string): string {
  return `${fieldLabels[field]} ${mistake}.`
}

export function textField(
  form: BrandFormState,
  field: BrandTextField,
  { hint, ...attributes }: { readonly hint?: Child; readonly [attribute: string]: Child },
): Markup {
  return labelled(
    form,
    field,
    (common) => (
      <input
        {...common}
        value={form.texts[field] ?? ''}
        autocomplete="off"
        spellcheck="false"
        {...attributes}
      />
    ),
    hint,
  )
}

export function choiceField(
  form: BrandFormState,
  field: BrandTextField,
  values: readonly string[],
  whenEmpty: string,
): Markup {
  const current = form.texts[field] ?? ''
  return labelled(form, field, (common) => (
    <select {...common}>{choiceOptions(values, current, whenEmpty)}</select>
  ))
}

/** A colour as hex digits. The swatch beside it is the browser's chooser, which the script connects. */
export function colorField(form: BrandFormState, field: ColorField, colors: readonly string[]): Markup {
  const value = form.texts[field] ?? ''
  return labelled(form, field, (common) => [
    <span class="color">
      <input
        {...common}
        value={value}
        placeholder="auto"
        maxlength={80}
        autocomplete="off"
        spellcheck="false"
      />
      <input
        type="color"
        data-color={field}
        value={hexOf(value)}
        aria-label={`${fieldLabels[field]}: choose a colour`}
      />
    </span>,
    swatches(field, colors),
  ])
}

/** Colours of the logo. Without the script each of them is a preview with that colour. */
function swatches(field: ColorField, colors: readonly string[]): Child {
  if (colors.length === 0) return undefined
  const group = `${fieldLabels[field]}: colours of the logo`
  return (
    <span class="swatches" role="group" aria-label={group} data-part="swatches">
      {colors.map((color) => (
        <button
          type="submit"
          name="use"
          formnovalidate
          value={`${field} ${color}`}
          aria-label={`${fieldLabels[field]} ${color}`}
          title={color}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <rect width="20" height="20" fill={color} />
          </svg>
        </button>
      ))}
    </span>
  )
}

function hexOf(typed: string): string {
  return opaqueColor(typed) ?? '#808080'
}
