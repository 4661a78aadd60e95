/** @jsxImportSource #jsx */

import type { Child, Markup } from '../../lib/jsx/markup.ts'
import type { ChoicePicture } from '../choice-pictures.ts'
import { picturePath } from '../pictures.ts'
import { choiceText } from './choice-text.ts'
import type { Control, Field } from './form.ts'
import type { Swatch } from './swatches.ts'

/** A few values side by side. */
export function segmentControl(field: Field, values: readonly string[], value: string): Markup {
  return (
    <fieldset class="choice" title={field.description}>
      <legend>{field.label}</legend>
      <div class="seg">
        {hasDefault(field) && radio(field, '', value, 'Default')}
        {values.map((one) => radio(field, one, value, choiceText(one)))}
      </div>
    </fieldset>
  )
}

/** Each value with a picture of it where there is one. */
export function pictureControl(
  field: Field,
  { values, choice }: Extract<Control, { readonly type: 'pictures' }>,
  value: string,
): Markup {
  return (
    <fieldset class="choice" title={field.description}>
      <legend>{field.label}</legend>
      <div class={`pics is-${choice.parameter} of-${choice.assetIds[0]}`}>
        {values.map((one) =>
          radio(field, one, value, [
            choice.pictures.filter((picture) => picture.value === one).map(thumbnail),
            <span>{choiceText(one)}</span>,
          ]),
        )}
      </div>
      {hasDefault(field) && <div class="none">{radio(field, '', value, 'Default')}</div>}
    </fieldset>
  )
}

/** Decoration: the name of the value is beside it. */
function thumbnail(picture: ChoicePicture): Markup {
  const { size, scheme } = picture
  return (
    <img
      src={picturePath(picture)}
      width={size?.widthPx}
      height={size?.heightPx ?? 20}
      class={scheme && `is-${scheme}`}
      alt=""
      loading="lazy"
    />
  )
}

/**
 * A field with swatches. A swatch is a button that sends the form with its colour, so that one press is enough where no
 * script runs.
 */
export function colorControl(
  { name, label, description }: Field,
  swatches: readonly Swatch[],
  value: string,
  input: Child,
): Markup {
  return (
    <fieldset class="choice" title={description}>
      <legend>{label}</legend>
      <div class="none">
        <button type="submit" name={name} value="" aria-pressed={String(value === '')}>
          Default
        </button>
      </div>
      <div class="swatches">
        {swatches.map((swatch) => (
          <button
            type="submit"
            name={name}
            value={swatch.value}
            aria-pressed={String(swatch.value === value)}
            aria-label={swatch.name}
            title={swatch.name}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="9" fill={swatch.color} />
            </svg>
          </button>
        ))}
      </div>
      <label>
        <span class="vh">{label}: a colour of your own</span>
        {input}
      </label>
    </fieldset>
  )
}

function hasDefault({ fallback, required }: Field): boolean {
  return fallback === '' && !required
}

function radio({ name }: Field, one: string, value: string, label: Child): Markup {
  return (
    <label>
      <input type="radio" name={name} value={one} checked={one === value} />
      {label}
    </label>
  )
}
