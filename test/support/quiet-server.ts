import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { runtimeCommands } from './server.ts'
import { databaseSettings, dropDatabaseOf } from './test-store.ts'

export interface QuietServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly runtime?: 'bun' | 'deno'
  /** File descriptors of ours for its output and its error output; without one they lead nowhere. */
  readonly stdout?: number
  readonly stderr?: number
  /** Words of the shell that starts it, for example `>&-`. */
  readonly redirect?: string
}

/** A server of which nothing is known but its port: its output may lead anywhere. It has a process group of its own. */
export type QuietServer = Awaited<ReturnType<typeof startQuietServer>>

const root = join(import.meta.dir, '../..')

/** Starts it and waits until it answers. */
export async function startQuietServer({
  env = {},
  runtime = 'bun',
  stdout,
  stderr,
  redirect = '',
}: QuietServerOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-quiet-'))
  const port = await freePort()
  const words = runtimeCommands[runtime].map((word) => `'${word}'`).join(' ')
  const child = spawn('/bin/sh', ['-c', `exec ${words} ${redirect}`], {
    cwd: root,
    detached: true,
    stdio: ['ignore', stdout ?? 'ignore', stderr ?? 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DRAIN_MS: '0',
      ...(await databaseSettings(dataDir)),
      ...env,
    },
  })
  const pid = child.pid ?? 0
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const server = {
    url,
    port,
    process: child,
    pid,
    exited,
    /** Signals every process of its group, as systemd and terminals do. */
    signalGroup: (signal: NodeJS.Signals) => void process.kill(-pid, signal),
    /** Ends every process of its group at once, and removes its data. */
    async kill(): Promise<void> {
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // All of them have ended.
      }
      await exited
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabaseOf(dataDir)
    },
  }
  await eventually(async () => child.exitCode !== null || (await answers(url)))
  if (child.exitCode === null) return server
  await server.kill()
  throw new Error(`The server did not come up; its exit code is ${child.exitCode}.`)
}

export async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/healthz`, { keepalive: false, signal: AbortSignal.timeout(60_000) })).text()
    return true
  } catch {
    return false
  }
}
