import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { decoderOf, keyForms, newKeyForm, rotationForm } from '../../admin/keys/key-fields.ts'
import { decodeForm, typedPassword } from '../../admin/session/form-fields.ts'

function decode(fields: Parameters<typeof decodeForm>[0], sent: string) {
  return decodeForm(fields, new URLSearchParams(sent))
}

const quotaForm = decoderOf(keyForms.get('quota') ?? [])

test('an empty field counts as missing, and spaces around a value do not count', () => {
  expect(decode(quotaForm, 'quota=')).toEqual({ value: {}, mistake: undefined })
  expect(decode(quotaForm, 'quota=+12+')).toEqual({ value: { quota: 12 }, mistake: undefined })
})

test('the first mistake of a form is the one that is told', () => {
  const { mistake } = decode(newKeyForm, `expires=x&quota=x&name=${'n'.repeat(81)}`)
  expect(mistake).toBe('A name has at most 80 characters.')
})

test('a wrong value of a field without a mistake counts as missing', () => {
  expect(decode(rotationForm, 'overlap=2&leaked=yes')).toEqual({
    value: { overlap: '24', leaked: false },
    mistake: undefined,
  })
})

test('only the first of repeated fields counts, except in a list', () => {
  const fields = Type.Object({ url: Type.String(), id: Type.Array(Type.String(), { maxItems: 2 }) })
  expect(decode(fields, 'url=a&url=b&id=1&id=2&id=3').value).toEqual({ url: 'a', id: ['1', '2'] })
})

test('a password keeps its spaces', () => {
  const fields = Type.Object({ password: typedPassword })
  expect(decode(fields, 'password=+a+').value).toEqual({ password: ' a ' })
})
