import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embedPath, sampleWords } from './support/embed-path.ts'
import { type Point, type Row, round, skippedRow } from './support/row.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, load } from './support/wrk.ts'

const connections = 64
const pauseMs = 8
const seconds = 6
const pictureConnections = 2

const percentiles = join(import.meta.dirname, 'support/percentiles.lua')
const newCards = join(import.meta.dirname, 'support/new-cards.lua')
const demo = `/api/og?${new URLSearchParams({ ...sampleWords, demo: '1' })}`

/** How long callers wait under a steady load that the server can bear, and while new pictures are drawn beside it. */
export async function benchLatency(): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow('Latency', 'wrk is not installed (Debian: apt-get install wrk)')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const ours = await startProgram(['src/main.ts'], {
    DATA_DIR: directory,
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
  })
  const answer = join(directory, 'answer')
  await Bun.write(answer, await fetch(ours.url + demo))
  const constant = await startProgram(['bench/support/constant-server.ts', '{port}', answer])
  try {
    const embed = await embedPath(ours.url)
    // Warms up, so that the first measurement does not pay for the start.
    for (const path of [embed, demo]) await load(ours.url + path, ours.pid, { seconds: 2 })
    const rows = [
      await latencyRow('cached card, embed URL', ours.url + embed, ours.pid),
      await latencyRow('cached card, demo', ours.url + demo, ours.pid),
    ]
    const script = [newCards, 'beside'] as const
    const pictures = load(ours.url, ours.pid, {
      seconds: seconds + 1,
      connections: pictureConnections,
      script,
    })
    rows.push(await latencyRow('demo, PNGs drawn meanwhile', ours.url + demo, ours.pid))
    await pictures
    rows.push(await latencyRow('constant route', constant.url, constant.pid))
    return rows
  } finally {
    ours.stop()
    constant.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function latencyRow(name: string, url: string, pid: number): Promise<Row> {
  const script = [percentiles, String(pauseMs)] as const
  const { report, requestsPerSecond } = await load(url, pid, { seconds, connections, script })
  const points = [...report.matchAll(/^percentile (\S+) (\d+)$/gm)].map(
    ([, percent, micros]): Point => [Number(percent), Number(micros)],
  )
  function at(percent: number) {
    return `${round((points.find(([each]) => each === percent)?.[1] ?? Number.NaN) / 1_000)} ms`
  }
  return {
    what: `Latency, ${name}, at ${round(requestsPerSecond)} requests a second`,
    ours: `p99 ${at(99)}`,
    peer: `p50 ${at(50)}, p99.9 ${at(99.9)}, p99.99 ${at(99.99)}`,
    ratio: '',
    target: '',
    line: { name, points },
  }
}
