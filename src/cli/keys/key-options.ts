import type { Static, TObject } from '@sinclair/typebox'
import type { KeyForm } from '../../../admin/keys/key-fields.ts'
import { decodeForm } from '../../../admin/session/form-fields.ts'
import { onceOption } from '../parameter-options.ts'

export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>

export const keyArgument = ['<key>', 'its id, mk_…'] as const
export const jsonOption = ['--json', 'print JSON'] as const

/** The options for the inputs of forms. */
export function formOptions(forms: readonly KeyForm[]) {
  return forms.flatMap(({ inputs }) =>
    Object.entries(inputs).map(
      ([
        name,
        {
          option: [value, description],
        },
      ]) => onceOption(`--${name} ${value}`, description),
    ),
  )
}

/** Reads options by the rules of the operator's forms. Throws the sentence about the first wrong one. */
export function decodeOptions<Fields extends TObject>(fields: Fields, options: GivenOptions): Static<Fields> {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    // A form takes an empty field for a missing one, but here it is a variable of a script that was not set.
    if (String(value).trim() === '') throw new Error(`--${name} is empty.`)
    sent.set(name, String(value))
  }
  const { value, mistake } = decodeForm(fields, sent)
  if (mistake !== undefined) throw new Error(mistake)
  return value
}
