import type { Static, TObject, TUnsafe } from '@sinclair/typebox'
import { decodeQuery } from '../../src/http/query.ts'
import { queryOf } from '../../src/http/validated-queries.ts'

/**
 * The `query` of a route of the operator's area. It is read before the session is looked at, so a mistake must not show
 * strangers that the route is there.
 */
export function listQuery<Query extends TObject>(parameters: Query): TUnsafe<Static<Query>> {
  return queryOf(parameters, ({ rawQuery }) => readListQuery(parameters, rawQuery))
}

/** A wrong value counts as missing, because an old bookmark must still open its list. All parameters may be missing. */
export function readListQuery<Query extends TObject>(parameters: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(parameters, rawQuery)
  if ('value' in decoded) return decoded.value
  return { ...readListQuery(parameters, ''), ...decoded.right }
}
