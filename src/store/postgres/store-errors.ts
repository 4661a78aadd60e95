import { StoreError, type StoreFault } from '../store-error.ts'
import { ConnectionLost, isConnectionFault, sqlState } from './connection-lost.ts'

/** Faults of the database that are no mistake in a statement, by SQLSTATE. */
const faultsByState: ReadonlyMap<string, StoreFault> = new Map([
  ['55P03', 'locked'],
  ['40P01', 'locked'],
  ['40001', 'locked'],
  // Another server stored it first, which the next try sees.
  ['23505', 'interrupted'],
  ['57014', 'locked'],
  ['53100', 'full'],
  ['25006', 'readonly'],
])

/** Makes a `StoreError` of a fault of the database or the way to it; returns any other error as it is. */
export function postgresStoreError(error: unknown, name: string): unknown {
  if (error instanceof StoreError) return error
  const state = sqlState(error)
  const isAway = error instanceof ConnectionLost || (state !== undefined && isConnectionFault(error))
  const kind = isAway ? 'failing' : faultsByState.get(state ?? '')
  if (kind === undefined) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreError(kind, `The database ${name} (DATABASE_URL) could not be used: ${reason}`, error)
}
