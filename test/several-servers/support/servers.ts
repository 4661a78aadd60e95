import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type TestServer } from '../../support/server.ts'
import { callDemo } from './signed-calls.ts'

export type Servers = Awaited<ReturnType<typeof startServers>>

interface Options {
  /** The URL by which each server reaches the database: one server for each. */
  readonly databaseUrls: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export const masterKey = '5a'.repeat(32)

/** Servers of one service, as on several machines: each has a folder of its own, all share a database and a master key. */
export async function startServers({ databaseUrls, env = {} }: Options) {
  const folders = databaseUrls.map(() => mkdtempSync(join(tmpdir(), 'mintmark-machine-')))
  const servers: TestServer[] = []

  async function start(index: number): Promise<void> {
    servers[index] = await startServer({
      dataDir: folders[index] ?? '',
      env: {
        MASTER_KEY: masterKey,
        DATABASE_URL: databaseUrls[index] ?? '',
        KEYS_PER_IP_PER_DAY: '1000000',
        DEMO_DAILY_QUOTA: '1000000',
        ...env,
      },
    })
  }
  await Promise.all(databaseUrls.map((_, index) => start(index)))

  function url(index: number): string {
    return servers[index % servers.length]?.url ?? ''
  }
  return {
    /** The URL of one of them; it changes when the server is started again. */
    url,
    urls: () => servers.map((server) => server.url),
    /** Ends one as a power cut does, and resolves when it is gone. */
    async kill(index: number) {
      await servers[index]?.stop('SIGKILL')
    },
    /** Starts one again, in its folder. */
    start,
    /** Ends all of them as an operator does. Resolves with their exit codes. */
    async close() {
      const codes = await Promise.all(servers.map((server) => server.stop()))
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      return codes
    },
  }
}

/** Resolves when each server counts calls again. */
export async function untilAllAnswer(servers: Servers): Promise<void> {
  for (const url of servers.urls()) while ((await callDemo(url)) !== 200) await sleep(20)
}
