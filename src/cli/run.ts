import process from 'node:process'
import { settings } from '../config.ts'
import { startedAtVariable, workerVariable } from '../lib/package-files.ts'
import { misspeltSettings } from '../lib/settings.ts'
import { errorLine } from '../lib/system-reason.ts'
import { type DatabaseSettings, databaseLocation, modeOpenToOthers } from '../store/database-location.ts'
import { lastLinesMs } from './end-signals.ts'
import { createLineWriter, openLineSink } from './log-output/line-writer.ts'
import { readStartConfig, workerCount } from './read-start-config.ts'
import { readText } from './read-text.ts'
import type { Environment, Runtime } from './runtime.ts'
import { openWorkerChannel } from './workers/worker-channel.ts'

export async function run(runtime: Runtime, env: Environment): Promise<void> {
  const terminal = createLineWriter({
    sink: openLineSink(2),
    lostLine: (count) => `${count} lines were lost`,
  })
  const lines = createLineWriter({ sink: openLineSink(1), lostLine: lostLogLine })
  try {
    // Opened first, so that a worker notices the death of its supervisor from its first moment on.
    const gone = Promise.withResolvers<void>()
    const channel = env[workerVariable] ? openWorkerChannel(gone.resolve) : undefined
    const config = await readStartConfig(env, readText)
    if (!channel) for (const line of misspeltSettings(settings, env)) terminal.write(`${line}\n`)
    // Loaded apart: a supervisor serves nobody.
    if (!channel && workerCount(config) > 1)
      (await import('./workers/supervisor.ts')).supervise(config, env, lines)
    else {
      const { serve } = await import('./serve.ts')
      const worker = channel && {
        channel,
        supervisorGone: gone.promise,
        startedAtMs: Number(env[startedAtVariable]),
        isFirst: env[workerVariable] === '1',
      }
      await serve({ runtime, config, lines, terminal, worker })
    }
    if (!channel) for (const line of openDataWarnings(config)) terminal.write(`${line}\n`)
  } catch (error) {
    terminal.write(`${errorLine(error)}\n`)
    await Promise.all([terminal.drain(lastLinesMs), lines.drain(lastLinesMs)])
    process.exit(1)
  }
}

function lostLogLine(count: number): string {
  const message = `${count} lines were lost`
  return JSON.stringify({ time: new Date().toISOString(), level: 'warn', message, count })
}

/** One line for each place with keys, payments and client addresses that other users of the machine have rights to. */
function openDataWarnings(settings: DatabaseSettings): readonly string[] {
  const location = databaseLocation(settings)
  if (location.kind === 'postgres') return []
  const places = location.setting === 'DATA_DIR' ? [settings.DATA_DIR] : [settings.DATA_DIR, location.path]
  return places.flatMap((path) => {
    const mode = modeOpenToOthers(path)
    if (mode === undefined) return []
    return [`Other users of this machine have rights to ${path} (mode ${mode}). Run: chmod -R go= '${path}'`]
  })
}
