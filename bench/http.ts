import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type Row, round, skippedRow } from './support/measure.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, type Load, load } from './support/wrk.ts'

const what = 'Cached card with demo metering over HTTP'
const path = '/api/og?title=How+we+cut+cold+starts&subtitle=A+field+report&author=Ada+Lovelace&demo=1'
const rounds = 5

/** The whole way of a repeated card, metering and log included, against a constant `Bun.serve` route with the same bytes. */
export async function benchHttp(): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow(what, 'wrk is not installed (Debian: apt-get install wrk)')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const ours = await startProgram(['src/main.ts'], {
    DATA_DIR: directory,
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
  })
  const card = join(directory, 'card.svg')
  await Bun.write(card, await fetch(ours.url + path, { headers: { 'accept-encoding': 'identity' } }))
  const constant = await startProgram(['bench/support/constant-server.ts', '{port}', card])
  try {
    const pairs: { readonly ours: Load; readonly constant: Load }[] = []
    for (let n = 0; n <= rounds; n++) {
      const pair = {
        ours: await load(ours.url + path, ours.pid),
        constant: await load(constant.url + path, constant.pid),
      }
      // The first round warms up.
      if (n > 0) pairs.push(pair)
    }
    function middle(of: (pair: (typeof pairs)[number]) => number) {
      return median(pairs.map(of))
    }
    const ratio = middle((pair) => pair.ours.requestsPerSecond / pair.constant.requestsPerSecond)
    return [
      {
        what: `${what}, requests a second, ${((await Bun.file(card).size) / 1024).toFixed(1)} KB`,
        ours: round(middle((pair) => pair.ours.requestsPerSecond)),
        peer: `constant route ${round(middle((pair) => pair.constant.requestsPerSecond))}`,
        ratio: `${round(ratio)}×`,
        target: '≥ 0.5×',
        passed: ratio >= 0.5,
      },
      {
        what: 'The same, CPU time of the server for one request',
        ours: `${round(middle((pair) => pair.ours.cpuMicros))} µs`,
        peer: `constant route ${round(middle((pair) => pair.constant.cpuMicros))} µs`,
        ratio: `${round(middle((pair) => pair.constant.cpuMicros / pair.ours.cpuMicros))}×`,
        target: '',
      },
    ]
  } finally {
    ours.stop()
    constant.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
