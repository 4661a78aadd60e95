import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AdminSeed, seedAdmin } from '../../../bench/support/seed-admin.ts'
import { readStartConfig } from '../../../src/cli/read-start-config.ts'
import { createService } from '../../../src/service.ts'
import {
  copyIntoDatabaseOf,
  databaseSettings,
  dropDatabaseOf,
  isOnPostgres,
} from '../../support/test-store.ts'

export const operatorPassword = 'correct horse battery'

export type AdminServer = Awaited<ReturnType<typeof openAdminServer>>

export interface AdminServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly seed?: Partial<AdminSeed>
  /** One of an earlier server; else a new one that goes with this. */
  readonly dataDir?: string
}

/** The whole service on a free port, in this process, with a clock that tests can move. */
export async function openAdminServer({ env = {}, seed, dataDir }: AdminServerOptions = {}) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'mintmark-admin-'))
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }
  if (seed) {
    const file = join(directory, 'mintmark.sqlite')
    await seedAdmin(file, {
      keys: 60,
      days: 40,
      payments: 90,
      nowMs: Date.now(),
      ...seed,
    })
    if (isOnPostgres) await copyIntoDatabaseOf(directory, file)
  }
  const lines: string[] = []
  const service = await createService({
    config: await readStartConfig(
      {
        DATA_DIR: directory,
        ADMIN_PASSWORD: operatorPassword,
        ...(await databaseSettings(directory)),
        ...env,
      },
      () => '',
    ),
    readFile: () => '',
    write: (text) => void lines.push(text),
    clock,
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 30,
    fetch: (request) => service.fetch(request, () => '127.0.0.1'),
  })
  return {
    url: `http://localhost:${server.port}`,
    service,
    clock,
    dataDir: directory,
    /** Everything that was logged. */
    log() {
      service.log.flush()
      return lines.join('')
    },
    async close() {
      service.startDraining()
      await server.stop(true)
      await service.close()
      if (dataDir === undefined) {
        rmSync(directory, { recursive: true, force: true })
        await dropDatabaseOf(directory)
      }
    },
  }
}
