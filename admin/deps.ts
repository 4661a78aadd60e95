import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { isKeyId, type Keys } from '../src/access/keys.ts'
import { busy } from '../src/errors.ts'
import type { DrawingService } from '../src/http/drawing-service.ts'
import { programArguments } from '../src/lib/package-files.ts'
import type { Parts } from '../src/parts.ts'
import { createDrawing } from './drawing.ts'
import type { RecentRequests } from './recent-requests.ts'
import type { createOperatorPassword } from './session/operator-password.ts'

type AreaParts = Parts & {
  readonly service: DrawingService
  readonly password: ReturnType<typeof createOperatorPassword>
  readonly recent: RecentRequests
  readonly startedAtMs: number
}

export type AdminDeps = Readonly<ReturnType<typeof createAdminDeps>>

export function createAdminDeps({ assets, cache, service, text, startedAtMs, ...parts }: AreaParts) {
  const { store, config } = parts
  return {
    ...parts,
    assets,
    keyNames: createKeyNames(parts.keys),
    drawing: createDrawing(service, text, assets),
    health: () => ({ startedAtMs, rssBytes: process.memoryUsage.rss(), cache: cache.stats() }),
    /** Writes a verified copy and returns its path. Undefined for a database that the tools of its server back up. */
    backup:
      store.kind === 'sqlite'
        ? () => backUpInChildProcess(store.name, join(config.DATA_DIR, 'backups'))
        : undefined,
  }
}

/** Runs in a process of its own: copying a large database takes long and would block every request. */
async function backUpInChildProcess(databasePath: string, directory: string): Promise<string> {
  const args = [...programArguments(), 'backup', directory]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { DATABASE_URL: `sqlite:${databasePath}` },
    })
    return stdout.trim()
  } catch (error) {
    const cause = new Error(`The backup failed: ${(error as { stderr?: string }).stderr?.trim() || error}`)
    throw busy('The backup could not be written.', 30, cause)
  }
}

export type KeyNames = ReturnType<typeof createKeyNames>

/** A renamed key may have its old name in lists for so long. */
const cachedMs = 10_000
const namesMax = 1_000

/** Names of keys for lists, cached for a moment. A key without a name, and one that is not there, has its id. */
function createKeyNames(keys: Pick<Keys, 'find'>) {
  const names = new LRUCache<string, string>({ max: namesMax, ttl: cachedMs })
  return {
    async load(ids: Iterable<string>): Promise<void> {
      for (const id of new Set(ids)) {
        if (names.has(id) || !isKeyId(id)) continue
        names.set(id, (await keys.find(id))?.name || id)
      }
    },
    nameOf: (id: string): string => names.get(id) ?? id,
  }
}
