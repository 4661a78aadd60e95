import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { type Connection, openConnection, ReadOnlyServer, sqlState } from './connection.ts'
import { type ConnectionTarget, sharedKeyNeeded } from './connection-target.ts'

interface ServerFacts {
  readonly version: number
  readonly versionName: string
  readonly isolation: string
  readonly synchronousCommit: string
  readonly encoding: string
  readonly schema: string | null
  readonly mayCreate: boolean | null
  readonly nowMs: number
}

const versionMin = 150_000
/** Days begin, signatures end and leases expire by the servers' clocks. */
const clockDifferenceMsMax = 30_000

/** @param hasMasterKey false is a mistake: servers that each made a key of their own would refuse one another's keys */
export async function checkStart(connection: Connection, clock: Clock, hasMasterKey: boolean): Promise<void> {
  const sentMs = clock.now()
  const [facts] = await connection.query<ServerFacts>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionName",
       current_setting('transaction_isolation') as isolation, current_setting('synchronous_commit') as "synchronousCommit",
       current_setting('server_encoding') as encoding, current_schema() as schema,
       has_schema_privilege(current_schema(), 'create') as "mayCreate",
       extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`,
  )
  if (facts === undefined) throw new Error('DATABASE_URL: the server does not answer a query.')
  // The duration of the query explains some difference.
  const aheadMs = facts.nowMs < sentMs ? facts.nowMs - sentMs : Math.max(0, facts.nowMs - clock.now())
  const mistakes = [...mistakesOf(facts, aheadMs), ...(hasMasterKey ? [] : [sharedKeyNeeded])]
  if (mistakes.length > 0) throw new Error(mistakes.map((mistake) => `${mistake}.`).join('\n'))
}

function mistakesOf(
  { version, versionName, isolation, synchronousCommit, encoding, schema, mayCreate }: ServerFacts,
  aheadMs: number,
): readonly string[] {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  const rules: readonly (readonly [isMet: boolean, mistake: string])[] = [
    [version >= versionMin, `PostgreSQL ${versionName} is too old; it must be 15 or later`],
    [
      isolation === 'read committed',
      `default_transaction_isolation is ${isolation}; set it to 'read committed' for this role and database`,
    ],
    [
      synchronousCommit !== 'off',
      'synchronous_commit is off, so a crash would lose counted calls; set it to on, for this role and database too',
    ],
    [encoding === 'UTF8', `the database's encoding is ${encoding}; make one with encoding 'UTF8'`],
    [
      schema !== null && mayCreate === true,
      'this role may not create tables in the database; make the role its owner, or grant create on schema public',
    ],
    [
      Math.abs(aheadMs) <= clockDifferenceMsMax,
      `the database's clock is ${seconds} seconds ${direction} this machine's; set both by NTP (at most ${clockDifferenceMsMax / 1000} are allowed)`,
    ],
  ]
  return rules.flatMap(([isMet, mistake]) => (isMet ? [] : [`DATABASE_URL: ${mistake}`]))
}

export async function openAtStart(target: ConnectionTarget, timeoutMs: number): Promise<Connection> {
  try {
    return (await openConnection(target, { timeoutMs })).connection
  } catch (error) {
    throw startProblem(error, target.name)
  }
}

/** An error for the operator: why the database could not be opened, the setting and what helps. Without the password. */
export function startProblem(error: unknown, name: string): Error {
  const remedy = error instanceof ReadOnlyServer ? readOnlyRemedy : remedyOf(error)
  const words = `The database ${name} (DATABASE_URL) cannot be used: ${reasonOf(error)}. ${remedy}`
  return new Error(words, { cause: error })
}

const readOnlyRemedy =
  'Name a server that takes writes: the primary, or all servers with commas between them. Look at default_transaction_read_only too.'
const certificateRemedy =
  'Give the certificate of who signed it as sslrootcert=<path>, and name the server as its certificate does; sslmode=disable does without encryption.'
const unreachableRemedy = 'Look whether the server runs, and whether host and port are right.'

function remedyOf(error: unknown): string {
  const state = sqlState(error)
  if (state !== undefined) return remediesByState.get(state) ?? 'Look at the log of the database server.'
  if (!(error instanceof Error)) return unreachableRemedy
  const words = `${'code' in error ? error.code : ''} ${error.message}`
  return /CERT|SELF_SIGNED|ALTNAME|SSL|TLS|UNABLE_TO/i.test(words) ? certificateRemedy : unreachableRemedy
}

const remediesByState: ReadonlyMap<string, string> = new Map([
  ['28P01', 'Look at user and password; write @ : / ? in them as %40 %3A %2F %3F.'],
  ['28000', 'Look at user and password, and at pg_hba.conf of the server.'],
  ['3D000', 'Make it: create database … owner … encoding UTF8.'],
  ['42501', 'Make the role of the URL the owner of the database.'],
  ['53300', 'Raise max_connections of the server, or put PgBouncer in front of it.'],
  ['57P03', 'The server is starting or ending; try again in a moment.'],
])
