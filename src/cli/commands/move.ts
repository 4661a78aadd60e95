import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { createSecrets, fingerprintName, parseMasterKey, readMasterKey } from '../../access/secrets.ts'
import { type Config, readConfig } from '../../config.ts'
import { type DatabaseLocation, databaseLocation } from '../../store/database-location.ts'
import {
  type ComparedTable,
  isSame,
  type MoveSide,
  type MoveSource,
  type MoveTarget,
  move,
} from '../../store/move/move.ts'
import { findStoreError } from '../../store/store-error.ts'
import { commandOf } from '../parameter-options.ts'
import { readText } from '../read-text.ts'
import { createProgressBar } from '../run-program.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './move.json' with { type: 'json' }

type Place = 'to' | 'toFile' | 'from' | 'fromFile'
type MoveOptions = Readonly<Partial<Record<Place, string> & { showMasterKey: boolean }>>

export function moveCommand({ env, print, end }: CommandContext): Command {
  const command = commandOf('move', texts)
  return command.action(async () => {
    const options = command.opts<MoveOptions>()
    const config = readConfig(env, readText)
    const from = urlOf('--from', options.from, options.fromFile)
    const to = urlOf('--to', options.to, options.toFile)
    if (to === undefined) throw new Error('Where to? Give --to postgres://… or --to sqlite:<path>.')
    const locationOf = (url: string | undefined) => databaseLocation({ ...config, DATABASE_URL: url })
    const [here, there] = [locationOf(from ?? config.DATABASE_URL), locationOf(to)]
    if (here.kind === there.kind)
      throw new Error(
        'A move goes between SQLite and PostgreSQL. For a copy of the same kind use backup and restore, or pg_dump.',
      )
    const source = await naming(from === undefined ? 'DATABASE_URL' : '--from', openSource(here))
    try {
      await run(source, there, config, options.showMasterKey === true)
    } catch (error) {
      throw interrupted(error)
    } finally {
      source.close()
    }
  })

  async function run(source: MoveSource, to: DatabaseLocation, config: Config, showsMasterKey: boolean) {
    const masterKey = await findMasterKey(source, config)
    const target = await naming('--to', openTarget(to))
    let bar: ReturnType<typeof createProgressBar> | undefined
    function onBegin(rows: number) {
      bar = createProgressBar(rows, 'rows copied and compared')
      return bar.step
    }
    try {
      const tables = await move(source, target, Date.now(), onBegin)
      bar?.end()
      print(comparisonText(tables))
      if (!tables.every(isSame)) {
        print('\nThe databases differ. Nothing was changed.')
        return end(1)
      }
      print(
        `\nEvery row is the same in both. ${source.name} keeps its data, and no server starts on it any more.`,
      )
      print(nextSteps(target.name, masterKey?.place))
      if (showsMasterKey && masterKey !== undefined)
        print(`MASTER_KEY=${Buffer.from(masterKey.key).toString('hex')}`)
    } finally {
      bar?.end()
      target.close()
    }
  }
}

export function comparisonText(tables: readonly ComparedTable[]): string {
  const lines = [
    ['table', 'rows', 'there', 'digest', 'there', ''],
    ...tables.map((compared) => {
      const { table, source, target } = compared
      const digests = [source, target].map(({ sha256 }) => sha256.slice(0, 16))
      return [table, `${source.rows}`, `${target.rows}`, ...digests, isSame(compared) ? '' : 'differs']
    }),
  ]
  const widths = [0, 1, 2, 3, 4, 5].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const padded = lines.map((line) => line.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '))
  return padded.map((line) => line.trimEnd()).join('\n')
}

function nextSteps(name: string, place: string | undefined): string {
  const database = name.startsWith('sqlite:') ? name : `${name} (with user and password)`
  if (place === undefined) return `Now set DATABASE_URL to ${database}.`
  const key = place === 'MASTER_KEY' ? 'keep MASTER_KEY' : `set MASTER_KEY to what is in ${place}`
  return `Now set DATABASE_URL to ${database} on every server, and ${key}: it is the one that these keys were made with.`
}

/** Finds the master key that a database was made with. Without it servers would refuse every caller's key. */
async function findMasterKey(source: MoveSide, { MASTER_KEY: given, DATA_DIR }: Config) {
  const fingerprint = await source.fact(fingerprintName)
  if (fingerprint === undefined) return undefined
  const folders =
    source.kind === 'sqlite' ? [dirname(source.name.slice('sqlite:'.length)), DATA_DIR] : [DATA_DIR]
  const places = [
    { place: 'MASTER_KEY', key: given === undefined ? undefined : parseMasterKey(given) },
    ...folders.map((folder) => ({ place: join(folder, 'master.key'), key: readMasterKey(folder) })),
  ]
  for (const { place, key } of places)
    if (key !== undefined && createSecrets(key).fingerprint === fingerprint) return { place, key }
  const looked = [...new Set(places.map(({ place }) => place))].join(', ')
  throw new Error(
    `The master key that ${source.name} was made with is in none of ${looked}. Without it servers would refuse all your keys. Set MASTER_KEY, or DATA_DIR to the folder of master.key. Nothing was changed.`,
  )
}

/** The drivers are loaded here, because other commands need none of PostgreSQL. */
async function openSource(from: DatabaseLocation): Promise<MoveSource> {
  return from.kind === 'sqlite'
    ? (await import('../../store/move/sqlite-side.ts')).openSqliteSource(from.path)
    : (await import('../../store/move/postgres-side.ts')).openPostgresSource(from.url, readText)
}

async function openTarget(to: DatabaseLocation): Promise<MoveTarget> {
  return to.kind === 'sqlite'
    ? (await import('../../store/move/sqlite-side.ts')).openSqliteTarget(to.path)
    : (await import('../../store/move/postgres-side.ts')).openPostgresTarget(to.url, readText)
}

/** Replaces DATABASE_URL in the errors of a database by the option's name. */
async function naming<T>(option: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(error.message.replaceAll('DATABASE_URL', option), { cause: error })
  }
}

function interrupted(error: unknown): unknown {
  const fault = findStoreError(error)
  if (fault === undefined || fault.kind === 'newer') return error
  const reason = fault.message.replace(' (DATABASE_URL)', '').replace(/\.$/, '')
  return new Error(`${reason}. Run the same command again: it begins anew.`, { cause: error })
}

function urlOf(option: string, url: string | undefined, file: string | undefined): string | undefined {
  if (url !== undefined && file !== undefined) throw new Error(`Give ${option} or ${option}-file, not both.`)
  return file === undefined ? url : readText(file).trim()
}
