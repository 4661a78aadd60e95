/** @jsxImportSource #jsx */

import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { pictureFormatNames, pictureFormats } from '../../raster/picture-formats.ts'
import type { Field } from './form.ts'

/** A labelled form control with its value and its problem. */
export function control(field: Field, value: string, problem: string | undefined): Markup {
  const { name, label, control: kind } = field
  const problemId = `problem-${name}`
  const state = problem ? { 'aria-invalid': 'true', 'aria-describedby': problemId } : {}
  const limit = kind.type === 'text' ? kind.maxLength : undefined
  return (
    <div>
      <label title={field.description}>
        {limit !== undefined && limit <= 200 && (
          <span class="left">
            {[...value].length}/{limit}
          </span>
        )}
        {label}
        {inputFor(field, value, state)}
      </label>
      {problem && (
        <p class="problem" id={problemId}>
          {label} {problem}.
        </p>
      )}
    </div>
  )
}

function inputFor(field: Field, value: string, state: object): Child {
  const { name, required, fallback, whenMissing, control: kind } = field
  switch (kind.type) {
    case 'choice': {
      const hasNone = fallback === '' && !required
      return (
        <select name={name} {...state}>
          {hasNone && (
            <option value="" title={whenMissing}>
              Default
            </option>
          )}
          {kind.values.map((one) => (
            <option value={one} selected={one === value}>
              {choiceText(one)}
            </option>
          ))}
        </select>
      )
    }
    case 'number': {
      const { minimum, maximum, step } = kind
      return (
        <input
          name={name}
          type="number"
          min={minimum}
          max={maximum}
          step={step}
          value={value}
          placeholder={whenMissing}
          {...state}
        />
      )
    }
    default:
      return (
        <input
          name={name}
          type={kind.type}
          value={value}
          required={required}
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          placeholder={whenMissing}
          data-max={kind.maxLength}
          {...state}
        />
      )
  }
}

const initialisms = new Set(['json', 'og'])
const spellings: ReadonlyMap<string, string> = new Map([
  ...pictureFormatNames.map((name) => [name, pictureFormats[name].label] as const),
  ['github', 'GitHub'],
  ['true', 'Yes'],
  ['false', 'No'],
])

function choiceText(value: string): string {
  if (initialisms.has(value)) return value.toUpperCase()
  const words = value.replaceAll(/[-_]/g, ' ')
  return spellings.get(value) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
