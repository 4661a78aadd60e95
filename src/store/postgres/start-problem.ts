import { reasonOf } from '../../lib/system-reason.ts'
import { sqlState } from './connection-lost.ts'
import { ReadOnlyServer } from './open-connection.ts'

/** An error for the operator: why the database could not be opened, the setting and what helps. Without the password. */
export function startProblem(error: unknown, name: string): Error {
  const state = sqlState(error)
  const remedy = error instanceof ReadOnlyServer ? readOnlyRemedy : remedyOf(state, codeOf(error))
  const reason = reasonOf(error)
  return new Error(`The database ${name} (DATABASE_URL) cannot be used: ${reason}. ${remedy}`, {
    cause: error,
  })
}

const readOnlyRemedy =
  'Name a server that takes writes: the primary, or all servers with commas between them. Look at default_transaction_read_only too.'
const certificateRemedy =
  'Give the certificate of who signed it as sslrootcert=<path>, and name the server as its certificate does; sslmode=disable does without encryption.'
const unreachableRemedy = 'Look whether the server runs, and whether host and port are right.'

function remedyOf(state: string | undefined, code: string): string {
  if (state !== undefined) return remediesByState.get(state) ?? 'Look at the log of the database server.'
  if (/CERT|SELF_SIGNED|ALTNAME|SSL|TLS|UNABLE_TO/i.test(code)) return certificateRemedy
  return unreachableRemedy
}

/** The code of an error, or its text where it has none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = 'code' in error ? String(error.code) : ''
  return `${code} ${error.message}`
}

const remediesByState: ReadonlyMap<string, string> = new Map([
  ['28P01', 'Look at user and password; write @ : / ? in them as %40 %3A %2F %3F.'],
  ['28000', 'Look at user and password, and at pg_hba.conf of the server.'],
  ['3D000', 'Make it: create database … owner … encoding UTF8.'],
  ['42501', 'Make the role of the URL the owner of the database.'],
  ['53300', 'Raise max_connections of the server, or put PgBouncer in front of it.'],
  ['57P03', 'The server is starting or ending; try again in a moment.'],
])
