import type { Clock } from '../../lib/clock.ts'
import type { Connection } from './connection.ts'

interface StartDeps {
  readonly clock: Clock
  /** Whether MASTER_KEY is set: servers that each made a key of their own would refuse one another's keys. */
  readonly hasMasterKey: boolean
}

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

/** Every secret is derived from the master key. */
export const sharedKeyNeeded =
  'MASTER_KEY must be set where DATABASE_URL names PostgreSQL, to the same 64 hex digits on every server, because a key in DATA_DIR belongs to one machine only. Make one with `openssl rand -hex 32`, or take master.key of the server that you move from'

const versionMin = 150_000
/** Days begin, signatures end and leases expire by the servers' clocks. */
const clockDifferenceMsMax = 30_000

/** Throws an error that lists everything for which this server and this database cannot work together. */
export async function checkStart(connection: Connection, { clock, hasMasterKey }: StartDeps): Promise<void> {
  const sentMs = clock.now()
  const [facts] = await connection.query<ServerFacts>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionName",
       current_setting('transaction_isolation') as isolation, current_setting('synchronous_commit') as "synchronousCommit",
       current_setting('server_encoding') as encoding, current_schema() as schema,
       has_schema_privilege(current_schema(), 'create') as "mayCreate",
       extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`,
  )
  if (facts === undefined) throw new Error('DATABASE_URL: the server does not answer a query.')
  const aheadMs = clockDifferenceMs(facts.nowMs, sentMs, clock.now())
  const mistakes = [...mistakesOf(facts), ...clockMistakes(aheadMs)]
  if (!hasMasterKey) mistakes.push(sharedKeyNeeded)
  if (mistakes.length > 0) throw new Error(mistakes.map((mistake) => `${mistake}.`).join('\n'))
}

function mistakesOf(facts: ServerFacts): string[] {
  const mistakes: string[] = []
  if (facts.version < versionMin)
    mistakes.push(`DATABASE_URL: PostgreSQL ${facts.versionName} is too old; it must be 15 or later`)
  if (facts.isolation !== 'read committed')
    mistakes.push(
      `DATABASE_URL: default_transaction_isolation is ${facts.isolation}; set it to 'read committed' for this role and database`,
    )
  if (facts.synchronousCommit === 'off')
    mistakes.push(
      'DATABASE_URL: synchronous_commit is off, so a crash would lose counted calls; set it to on, for this role and database too',
    )
  if (facts.encoding !== 'UTF8')
    mistakes.push(`DATABASE_URL: the database's encoding is ${facts.encoding}; make one with encoding 'UTF8'`)
  if (facts.schema === null || facts.mayCreate !== true)
    mistakes.push(
      'DATABASE_URL: this role may not create tables in the database; make the role its owner, or grant create on schema public',
    )
  return mistakes
}

/** Milliseconds by which the database's clock is ahead; zero if the duration of the query explains the difference. */
function clockDifferenceMs(databaseMs: number, sentMs: number, answeredMs: number): number {
  if (databaseMs < sentMs) return databaseMs - sentMs
  return Math.max(0, databaseMs - answeredMs)
}

function clockMistakes(aheadMs: number): string[] {
  if (Math.abs(aheadMs) <= clockDifferenceMsMax) return []
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return [
    `DATABASE_URL: the database's clock is ${seconds} seconds ${direction} this machine's; set both by NTP (at most ${clockDifferenceMsMax / 1000} are allowed)`,
  ]
}
