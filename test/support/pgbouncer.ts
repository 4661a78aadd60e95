import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isListening } from './free-port.ts'
import { testPassword } from './postgres.ts'

const program = '/usr/sbin/pgbouncer'
/** Tests behind PgBouncer are left out where Debian's package is missing. */
export const hasPgbouncer = spawnSync(program, ['--version']).status === 0
if (!hasPgbouncer) console.warn(`No ${program}: the tests behind PgBouncer are left out.`)

/** Starts PgBouncer in transaction mode in front of a server. */
export async function startPgbouncer(serverPort: number) {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-pgbouncer-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  const users = join(directory, 'users.txt')
  writeFileSync(users, `"owner" "${testPassword}"\n`)
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = 3\n`,
  )
  const asOther =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : ['env']
  const [first = '', ...rest] = [...asOther, program, '-q', settings]
  const child = spawn(first, rest, { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.')
    await sleep(30)
  }
  return {
    port,
    async close() {
      child.kill('SIGKILL')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
