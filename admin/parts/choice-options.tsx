/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'

/** The options of a `select`: first `whenEmpty`, for no choice, then the values in sentence case. */
export function choiceOptions(
  values: readonly string[],
  current: string,
  whenEmpty: string,
): readonly Markup[] {
  return [
    <option value="">{whenEmpty}</option>,
    ...values.map((value) => (
      <option value={value} selected={value === current}>
        {value.charAt(0).toUpperCase() + value.slice(1)}
      </option>
    )),
  ]
}
