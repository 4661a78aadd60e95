import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { residentMb } from './support/resident-mb.ts'
import { boundRow, type Row, round } from './support/row.ts'

const rounds = Number(process.env['BENCH_STARTS'] ?? 9)
/** In so many of them the memory at rest is measured, too. */
const rests = 3
const pollMs = 1
/** A process that rests is measured after so long. */
const restMs = 1000

interface Program {
  readonly name: string
  readonly words: readonly string[]
  readonly timesMax: number
  readonly idleMbMax: number
}

/**
 * From the start of a process until `/readyz` answers, against an empty `Bun.serve`, and what the process holds while it
 * rests: from source, and as the executable that `bun run build` makes. The programs take turns. An empty one
 * is ready in a few ms, which a look each ms tells badly: the ratio is that of the medians.
 */
export async function benchStart(): Promise<readonly Row[]> {
  if (process.platform !== 'linux') return []
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  try {
    await buildInto(directory)
    const empty = join(directory, 'empty.ts')
    await Bun.write(
      empty,
      `Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT), fetch: () => new Response('ok') })`,
    )
    const programs: readonly Program[] = [
      { name: 'source', words: [process.execPath, 'src/main.ts'], timesMax: 35, idleMbMax: 85 },
      { name: 'executable', words: [join(directory, 'mintmark')], timesMax: 15, idleMbMax: 76 },
    ]
    return await repeatIfShort(() => startRows(directory, [process.execPath, empty], programs))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function startRows(
  directory: string,
  empty: readonly string[],
  programs: readonly Program[],
): Promise<readonly Row[]> {
  const starts = programs.map((program) => ({ program, readyMs: [] as number[], idleMb: [] as number[] }))
  const emptyMs: number[] = []
  for (let turn = 0; turn < rounds; turn++) {
    emptyMs.push((await startOnce(empty, join(directory, 'data'), false)).readyMs)
    for (const { program, readyMs, idleMb } of starts) {
      const data = join(directory, `data-${program.name}-${turn}`)
      const started = await startOnce(program.words, data, turn < rests)
      readyMs.push(started.readyMs)
      if (started.idleMb !== undefined) idleMb.push(started.idleMb)
    }
  }
  const emptyMedianMs = median(emptyMs)
  return starts.flatMap(({ program: { name, timesMax, idleMbMax }, readyMs, idleMb }) => [
    boundRow(
      `Start to /readyz, ${name}, against an empty Bun.serve`,
      median(readyMs) / emptyMedianMs,
      timesMax,
      'times',
      `${round(median(readyMs))} ms against ${round(emptyMedianMs)} ms`,
    ),
    boundRow(`Resident memory at rest, ${name}`, median(idleMb), idleMbMax, 'MB', `${rests} starts`),
  ])
}

async function buildInto(directory: string): Promise<void> {
  const build = Bun.spawn([process.execPath, 'src/cli/build.ts', directory], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await build.exited) !== 0) throw new Error('The executable could not be built.')
}

/** Starts a server with an empty database, and ends it. */
async function startOnce(words: readonly string[], dataDirectory: string, isMeasuredAtRest: boolean) {
  const port = await freePort()
  const startedMs = performance.now()
  const child = Bun.spawn([...words], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
    },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    while (!(await answers(`http://127.0.0.1:${port}/readyz`))) {
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} has ended`)
      await Bun.sleep(pollMs)
    }
    const readyMs = performance.now() - startedMs
    if (!isMeasuredAtRest) return { readyMs }
    await Bun.sleep(restMs)
    return { readyMs, idleMb: residentMb(child.pid) }
  } finally {
    child.kill()
    await child.exited
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
