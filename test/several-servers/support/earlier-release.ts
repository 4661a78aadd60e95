import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
const migrations = 'src/store/postgres/sql'

/**
 * The commit that a rolling upgrade comes from: the newest tag, else the commit before the newest migration of PostgreSQL,
 * so that the upgrade changes the tables. Undefined without git or where the clone has no history.
 */
export const earlierCommit = commitOf('describe', '--tags', '--abbrev=0', 'HEAD^') ?? beforeNewestMigration()
if (earlierCommit === undefined)
  console.warn('No earlier commit (git, and a clone with its history): the rolling upgrade is left out.')

function beforeNewestMigration(): string | undefined {
  const newest = commitOf('log', '-1', '--first-parent', '--diff-filter=A', '--format=%H', '--', migrations)
  return newest && commitOf('rev-parse', '--verify', '--quiet', `${newest}^`)
}

function commitOf(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', root, ...words])
  return (status === 0 && String(stdout).trim()) || undefined
}

/** Takes the program of a commit out of the history, with its packages. */
export function unpackRelease(commit: string) {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-earlier-'))
  const archive = run('git', ['-C', root, 'archive', commit, '.', ':!test', ':!bench'])
  run('tar', ['-x', '-C', directory], archive)
  run(process.execPath, ['install', '--cwd', directory, '--frozen-lockfile', '--production'])
  return {
    /** Starts its server. */
    command: [process.execPath, join(directory, 'src/main.ts')],
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function run(command: string, words: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr } = spawnSync(command, words, { input, maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  return stdout
}
