/** @jsxImportSource #jsx */

import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { choiceText } from './choice-text.ts'
import type { Field } from './form.ts'
import { colorControl, pictureControl, segmentControl } from './wide-controls.tsx'

/** A form control with its label, its value and its problem. */
export function control(field: Field, value: string, problem: string | undefined): Markup {
  const { name, label } = field
  const problemId = `problem-${name}`
  const state = problem ? { 'aria-invalid': 'true', 'aria-describedby': problemId } : {}
  return (
    <div class="field" id={`field-${name}`}>
      {labelledInput(field, value, state)}
      {problem && (
        <p class="problem" id={problemId}>
          {label} {problem}.
        </p>
      )}
    </div>
  )
}

function labelledInput(field: Field, value: string, state: object): Child {
  const { label, description, control: kind } = field
  switch (kind.type) {
    case 'segments':
      return segmentControl(field, kind.values, value)
    case 'pictures':
      return pictureControl(field, kind, value)
    case 'color':
      return colorControl(field, kind.swatches, value, input(field, value, state))
    default: {
      const limit = kind.type === 'text' ? kind.maxLength : undefined
      return (
        <label title={description}>
          {limit !== undefined && limit <= 200 && (
            <span class="left">
              {[...value].length}/{limit}
            </span>
          )}
          {label}
          {input(field, value, state)}
        </label>
      )
    }
  }
}

function input(field: Field, value: string, state: object): Child {
  const { name, required, whenMissing, control: kind } = field
  switch (kind.type) {
    case 'choice':
      return select(field, kind.values, value, state)
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
          type={kind.type === 'url' ? 'url' : 'text'}
          value={value}
          required={required}
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          placeholder={whenMissing}
          data-max={kind.type === 'text' && kind.maxLength}
          {...state}
        />
      )
  }
}

function select(
  { name, required, fallback, whenMissing }: Field,
  values: readonly string[],
  value: string,
  state: object,
): Markup {
  return (
    <select name={name} {...state}>
      {fallback === '' && !required && (
        <option value="" title={whenMissing}>
          Default
        </option>
      )}
      {values.map((one) => (
        <option value={one} selected={one === value}>
          {choiceText(one)}
        </option>
      ))}
    </select>
  )
}
