import { Type } from '@sinclair/typebox'
import { text } from '../lib/fields.ts'

/** The query of routes that are about one key. */
export const keyIdQuery = Type.Object({
  key: text(1, 64, { description: 'The id of the key', example: 'mk_2345678abcdefghj' }),
})
