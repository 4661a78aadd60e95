import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { denoProgram } from './deno-program.ts'
import { databaseSettings, dropDatabaseOf } from './test-store.ts'

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly runtime?: 'bun' | 'deno'
  /** One of an earlier server; without it a new one that goes with this server. */
  readonly dataDir?: string
  /** The folder that it is started from; without it the one of the source. */
  readonly cwd?: string
  /** Another program than the one of the source. */
  readonly command?: readonly string[]
}

/** A running server of our own, as a process with a data directory of its own. */
export type TestServer = Awaited<ReturnType<typeof startServer>>

const root = join(import.meta.dir, '../..')
export const runtimeCommands = {
  bun: [process.execPath, join(root, 'src/main.ts')],
  deno: [denoProgram, 'run', '-A', '--quiet', join(root, 'src/deno.ts')],
} as const

/** Starts the real thing on a free port. Its settings are `env` and nothing of the caller's environment. */
export async function startServer({
  env = {},
  runtime = 'bun',
  dataDir,
  cwd = root,
  command = runtimeCommands[runtime],
}: ServerOptions = {}) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'mintmark-test-'))
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: directory,
      DRAIN_MS: '0',
      ...(await databaseSettings(directory)),
      ...env,
    },
  })
  const lines: Record<string, unknown>[] = []
  const complaints: string[] = []
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)))
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line)
      lines.push(entry)
      if (entry.message === 'listening') resolve(Number(entry.port))
    })
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${complaints.join('')}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    process: child,
    dataDir: directory,
    lines: lines as readonly Readonly<Record<string, unknown>>[],
    /** Everything it has written to the terminal until now, beside its log. */
    complaints: complaints as readonly string[],
    /** Ends it and resolves with its exit code; null when the signal killed it. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      const code = await exited
      if (dataDir === undefined) {
        rmSync(directory, { recursive: true, force: true })
        await dropDatabaseOf(directory)
      }
      return code
    },
  }
}
