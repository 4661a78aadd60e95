import process from 'node:process'
import { Command } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import { databaseLocation } from '../../store/database-location.ts'
import { type MoveProgress, type MoveResult, move } from '../../store/move/move.ts'
import type { MoveSource, MoveTarget } from '../../store/move/move-side.ts'
import { findStoreError } from '../../store/store-error.ts'
import { comparisonText } from '../move/comparison-text.ts'
import { type FoundMasterKey, findMasterKey } from '../move/master-key.ts'
import { onceOption } from '../parameter-options.ts'
import { readText } from '../read-text.ts'
import { createProgressBar } from '../render/progress-bar.ts'
import type { Environment } from '../runtime.ts'

interface MoveCommandOptions {
  readonly to?: string
  readonly toFile?: string
  readonly from?: string
  readonly fromFile?: string
  readonly live?: boolean
  readonly showMasterKey?: boolean
  readonly reopen?: boolean
}

/** `move --to <url>`: everything from SQLite into PostgreSQL, or back. */
export function moveCommand(
  env: Environment,
  print: (text: string) => void,
  end: (exitCode: number) => void,
): Command {
  const command = new Command('move')
  return command
    .description('move everything from SQLite to PostgreSQL, or back, and compare both')
    .addOption(
      onceOption('--to <url>', 'where to: postgres://user:password@host:port/database or sqlite:<path>'),
    )
    .addOption(
      onceOption('--to-file <path>', 'a file with that URL, so that no list of processes shows its password'),
    )
    .addOption(onceOption('--from <url>', 'where from; DATABASE_URL or DATA_DIR when missing'))
    .addOption(onceOption('--from-file <path>', 'a file with that URL'))
    .option(
      '--live',
      'copy while servers serve; then stop them and run the same without --live, which takes seconds',
    )
    .option('--show-master-key', 'print the master key at the end, for MASTER_KEY of the servers')
    .option('--reopen', 'only allow servers to start on a source that was moved away')
    .addHelpText(
      'after',
      '\nRun it as the user and with the settings of the service. It can be run\nagain whenever it was interrupted. The source keeps its data, and no server\nstarts on it afterwards.',
    )
    .action(async () => {
      const options = command.opts<MoveCommandOptions>()
      const config = readConfig(env, readText)
      const from = urlOf('--from', options.from, options.fromFile) ?? configuredUrl(config)
      // Loaded apart: other commands need no driver of PostgreSQL.
      const { openSource } = await import('../move/open-databases.ts')
      const source = await openSource(from, (options.from ?? options.fromFile) ? '--from' : 'DATABASE_URL')
      try {
        if (options.reopen === true) {
          await source.reopen()
          print(`Servers may start on ${source.name} again.`)
        } else await run(source, from, options, config)
      } finally {
        await source.close()
      }
    })

  async function run(source: MoveSource, from: string, options: MoveCommandOptions, config: Config) {
    const to = urlOf('--to', options.to, options.toFile)
    if (to === undefined) throw new Error('Where to? Give --to postgres://… or --to sqlite:<path>.')
    const { isPostgres, openTarget } = await import('../move/open-databases.ts')
    if (isPostgres(from) === isPostgres(to))
      throw new Error(
        'A move goes between SQLite and PostgreSQL. For a copy of the same kind use backup and restore, or pg_dump.',
      )
    const masterKey = await findMasterKey(source, config)
    const target = await openTarget(to, '--to')
    try {
      const [postgres, sqlite] = isPostgres(to) ? [target, source] : [source, target]
      const isLive = options.live === true
      const progress = showProgress()
      const parts = { source, target, postgres, sqlite, isLive, nowMs: Date.now(), progress }
      const result = await move(parts).catch((error) => {
        progress.end()
        throw interrupted(error)
      })
      print(report(result, source, target, masterKey))
      if (result.outcome.startsWith('finished') && options.showMasterKey === true && masterKey !== undefined)
        print(`MASTER_KEY=${Buffer.from(masterKey.key).toString('hex')}`)
      if (result.outcome === 'different') end(1)
    } finally {
      await target.close()
    }
  }
}

function report(
  { outcome, totals }: MoveResult,
  source: MoveSource,
  target: MoveTarget,
  masterKey: FoundMasterKey | undefined,
): string {
  const table = comparisonText(totals)
  if (outcome === 'different')
    return `${table}\n\nThe databases differ. ${target.name} is not served; run the same again.`
  if (outcome === 'copied')
    return `${table}\n\nCopied while ${source.name} served. Stop its servers now and run the same without --live: that copies what has changed since.`
  if (outcome === 'finished before')
    return `${table}\n\nThis was moved before; nothing was changed. What differs was stored since.`
  const done = `Every row, count and sum is the same in both. ${source.name} keeps its data, and no server starts on it any more.`
  return `${table}\n\n${done}\n${nextSteps(target.name, masterKey)}`
}

function nextSteps(name: string, masterKey: FoundMasterKey | undefined): string {
  const database = name.startsWith('sqlite:') ? name : `${name} (with user and password)`
  if (masterKey === undefined) return `Now set DATABASE_URL to ${database}.`
  const { place } = masterKey
  const key =
    place === 'MASTER_KEY'
      ? 'keep MASTER_KEY: it is the one that these keys were made with'
      : `set MASTER_KEY to what is in ${place}: it is the one that these keys were made with`
  return `Now set DATABASE_URL to ${database} on every server, and ${key}.`
}

/** A fault of a database or of the way to it takes nothing back. */
function interrupted(error: unknown): unknown {
  const fault = findStoreError(error)
  if (fault === undefined) return error
  const reason = fault.message.replace(' (DATABASE_URL)', '')
  return new Error(`${reason}. The same command goes on from here.`.replace('..', '.'), { cause: error })
}

/** A bar for each part of the work, on a terminal only. */
function showProgress(): MoveProgress {
  let bar: ReturnType<typeof createProgressBar> | undefined
  return {
    begin(part, count) {
      const unit = part === 'copy' ? 'rows copied' : 'parts checked'
      bar = createProgressBar(process.stderr, count, () => performance.now(), unit)
      return bar.step
    },
    end() {
      bar?.end()
      bar = undefined
    },
  }
}

function urlOf(option: string, url: string | undefined, file: string | undefined): string | undefined {
  if (url !== undefined && file !== undefined) throw new Error(`Give ${option} or ${option}-file, not both.`)
  return file === undefined ? url : readText(file).trim()
}

function configuredUrl(config: Config): string {
  const location = databaseLocation(config)
  return location.kind === 'sqlite' ? `sqlite:${location.path}` : location.url
}
