import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface TestPostgres {
  readonly port: number
  /** The URL of a database by its name, for the role that owns every database of the test. */
  url(database: string): string
  makeDatabase(name: string): string
  /** Runs SQL as the server's administrator, and returns what psql prints: values without decoration. */
  run(sql: string, database?: string): string
  dump(database: string): string
  /** Ends the server and its connections at once. What was committed comes back with `start`. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Starts a server that follows this one. Each commit waits for it from now on. */
  startStandby(): Promise<TestPostgres>
  abandon(): void
  close(): Promise<void>
}

export const testPassword = 'p@ss:word/with?marks'

const programs = findPrograms()
/** Tests that need a PostgreSQL server are left out where Debian's package is missing. */
export const hasPostgres = programs !== undefined
if (!hasPostgres) console.warn('No PostgreSQL server (Debian package postgresql): its tests are left out.')

/** @param settings further settings of the server, such as `synchronous_commit=off` */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  if (programs === undefined) throw new Error('There is no PostgreSQL server.')
  const user = unprivilegedUser()
  const directory = makeDirectory(user)
  makeCluster(programs, directory, user)
  const server = createServer({ bin: programs, user, directory, port: await freePort() }, settings)
  await server.start()
  server.run(`create role owner login createdb password '${testPassword}'`)
  return server
}

interface Place {
  readonly bin: string
  readonly user: User | undefined
  readonly directory: string
  readonly port: number
}

function createServer(place: Place, settings: readonly string[]): TestPostgres {
  const { bin, user, directory, port } = place
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = [...serverSettings(place), ...settings].flatMap((option) => ['-c', option])
    const words = ['-D', join(directory, 'cluster'), ...options]
    const [program, ...rest] = asUser(user, [join(bin, 'postgres'), ...words])
    server = spawn(program ?? '', rest, { cwd: directory, stdio: 'ignore' })
    const ended = new Promise<void>((resolve) => server?.once('exit', () => resolve()))
    while (spawnSync(join(bin, 'pg_isready'), ['-q', '-h', directory, '-p', String(port)]).status !== 0) {
      const isOver = await Promise.race([ended.then(() => true), sleep(50, false)])
      if (isOver) throw new Error('PostgreSQL did not start.')
    }
  }

  async function crash(): Promise<void> {
    const ending = server
    if (ending === undefined || ending.exitCode !== null) return
    const exited = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGQUIT')
    await exited
    server = undefined
  }

  function run(sql: string, database = 'postgres'): string {
    const words = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', database, '-c', sql]
    return runProgram(place, 'psql', words)
  }

  function url(database: string): string {
    return `postgres://owner:${encodeURIComponent(testPassword)}@127.0.0.1:${port}/${database}`
  }

  return {
    port,
    url,
    makeDatabase(name) {
      run(`create database ${name} owner owner`)
      return url(name)
    },
    run,
    dump: (database) => runProgram(place, 'pg_dump', ['--inserts', database]),
    crash,
    start,
    async startStandby() {
      const standby = await copyAsStandby(place)
      await standby.start()
      run(`alter system set synchronous_standby_names = '*'`)
      run('select pg_reload_conf()')
      while (run('select sync_state from pg_stat_replication') !== 'sync') await sleep(50)
      return standby
    },
    abandon() {
      server?.kill('SIGKILL')
      removeFolder(directory)
    },
    async close() {
      await crash()
      removeFolder(directory)
    },
  }
}

/** Nobody waits for it: a cluster has thousands of files, and some disks take minutes for them. */
function removeFolder(directory: string): void {
  // In a session of its own, because what runs the tests ends all that they started.
  spawnSync('setsid', ['--fork', 'rm', '-rf', directory], { stdio: 'ignore' })
}

function serverSettings({ directory, port }: Place): readonly string[] {
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    // The server is killed, the machine is not: nothing has to wait for the disk.
    'fsync=off',
    'max_connections=60',
    'shared_buffers=32MB',
    'log_min_messages=fatal',
  ]
}

/** A program of PostgreSQL as the server's administrator. Returns what it prints. */
function runProgram({ bin, directory, port }: Place, program: string, words: readonly string[]): string {
  const connection = ['-h', directory, '-p', String(port), '-U', 'admin']
  const env = { ...process.env, PGPASSWORD: testPassword }
  const { status, stdout, stderr } = spawnSync(join(bin, program), [...connection, ...words], { env })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return String(stdout).trim()
}

async function copyAsStandby(primary: Place): Promise<TestPostgres> {
  const place = { ...primary, directory: makeDirectory(primary.user), port: await freePort() }
  const cluster = join(place.directory, 'cluster')
  const options = '-R -X stream --checkpoint=fast --no-sync'.split(' ')
  runProgram(primary, 'pg_basebackup', ['-D', cluster, ...options])
  if (place.user !== undefined) spawnSync('chown', ['-R', place.user.name, cluster])
  return createServer(place, [])
}

function makeDirectory(user: User | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-postgres-'))
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  return directory
}

interface User {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root. Undefined: this process may run it itself. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const { status, stdout } = spawnSync('getent', ['passwd', name])
    const [, , uid, gid] = String(stdout).split(':')
    if (status === 0) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('There is no user to run PostgreSQL as.')
}

/** The command as that user. The server ends by itself when the test's process dies. */
function asUser(user: User | undefined, command: readonly string[]): readonly string[] {
  const change = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return ['setpriv', ...change, '--pdeathsig=QUIT', ...command]
}

function makeCluster(bin: string, directory: string, user: User | undefined): void {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, testPassword)
  const cluster = join(directory, 'cluster')
  const words = ['-D', cluster, '-U', 'admin', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
  const [program, ...rest] = asUser(user, [join(bin, 'initdb'), ...words, '-E', 'UTF8', '--locale=C.UTF-8'])
  const { status, stderr } = spawnSync(program ?? '', rest, { cwd: directory })
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
}

/** The folder of the newest server's programs, which Debian keeps out of the PATH. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).filter((version) => existsSync(join(root, version, 'bin/postgres')))
  const newest = versions.map(Number).sort((a, b) => b - a)[0]
  return newest === undefined ? undefined : join(root, String(newest), 'bin')
}
