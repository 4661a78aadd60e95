import type { Static, TObject } from '@sinclair/typebox'
import { invalidQuery } from '../errors.ts'
import { decodeQuery } from './query.ts'
import { contextOf } from './request-context.ts'

/**
 * Validates the query of a route with a TypeBox schema: `.resolve(validQuery(schema))` gives handlers a typed `input`.
 * It decodes the raw query. Elysia's own `query` option would hand every validator values that are split at commas,
 * parsed where they look like JSON, and decoded where they cannot be.
 */
export function validQuery<Query extends TObject>(schema: Query) {
  return ({ request }: { readonly request: Request }): { readonly input: Static<Query> } => ({
    input: readQuery(schema, contextOf(request).rawQuery),
  })
}

/** Returns the decoded query, or throws the `Problem` that names every wrong parameter. */
export function readQuery<Query extends TObject>(schema: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(schema, rawQuery)
  if ('errors' in decoded) throw invalidQuery(decoded.errors)
  return decoded.value
}
