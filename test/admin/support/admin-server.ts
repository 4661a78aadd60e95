import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../support/service.ts'
import { copyIntoDatabaseOf, dropDatabaseOf, isOnPostgres } from '../../support/test-store.ts'
import { type AdminSeed, seedAdmin } from './seed-admin.ts'

export const operatorPassword = 'correct horse battery'

export type AdminServer = Awaited<ReturnType<typeof openAdminServer>>

export interface AdminServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly seed?: Partial<AdminSeed>
  /** One of an earlier server; else a new one that goes with this. */
  readonly dataDir?: string
}

/** A service in this process whose operator has a password, with rows in its database where they are asked for. */
export async function openAdminServer({ env = {}, seed, dataDir }: AdminServerOptions = {}) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'mintmark-admin-'))
  if (seed) {
    const file = join(directory, 'mintmark.sqlite')
    await seedAdmin(file, { keys: 60, days: 40, payments: 90, nowMs: Date.now(), ...seed })
    if (isOnPostgres) await copyIntoDatabaseOf(directory, file)
  }
  const service = await startService({
    dataDir: directory,
    env: { ADMIN_PASSWORD: operatorPassword, ...env },
  })
  async function close() {
    await service.stop()
    if (dataDir === undefined) {
      rmSync(directory, { recursive: true, force: true })
      await dropDatabaseOf(directory)
    }
  }
  return { ...service, stop: close, close }
}
