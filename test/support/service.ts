import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { createService } from '../../src/service.ts'
import { databaseSettings, dropDatabaseOf } from './test-store.ts'

interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  /** One of an earlier service; without it a new one that goes with this service. */
  readonly dataDir?: string
  /** How many processes the server has, of which this is one. */
  readonly processes?: number
}

export type TestService = Awaited<ReturnType<typeof startService>>

/**
 * The whole service on a free port, in this process, with a clock that tests can move. It starts at once, where a process
 * (`startServer`) loads the program first: that is for tests of the process itself, such as its signals and its output.
 */
export async function startService({ env = {}, dataDir, processes = 1 }: ServiceOptions = {}) {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'mintmark-service-'))
  // It stands still unless a test moves it, so that nothing ends while a slow machine works.
  const startedAtMs = Date.now()
  const clock = { aheadMs: 0, now: () => startedAtMs + clock.aheadMs }
  const lines: string[] = []
  const settings = { DATA_DIR: directory, ...(await databaseSettings(directory)), ...env }
  const service = await createService({
    config: await readStartConfig(settings, readText),
    readFile: readText,
    write: (text) => void lines.push(text),
    clock,
    processes,
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // The longest: a slow machine may need seconds for a picture.
    idleTimeout: 255,
    fetch: (request) => service.fetch(request, () => '127.0.0.1'),
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: Number(server.port),
    service,
    clock,
    dataDir: directory,
    /** Everything that was logged. */
    log() {
      service.log.flush()
      return lines.join('')
    },
    async stop() {
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

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}
