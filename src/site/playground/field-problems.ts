import type { Problem } from '../../errors.ts'
import { type AssetForm, fieldsOf } from './form.ts'

/** The message about each field that is wrong, by its name: empty where the fault is in no field that the form shows. */
export function fieldProblems({ code, errors }: Problem, form: AssetForm): Readonly<Record<string, string>> {
  if (code !== 'invalid_query') return {}
  const shown = new Set(fieldsOf(form).map(({ name }) => name))
  return Object.fromEntries(
    errors.flatMap(({ parameter, message }) => (shown.has(parameter) ? [[parameter, message]] : [])),
  )
}
