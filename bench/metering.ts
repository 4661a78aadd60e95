import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embedUrl, type KeyPair, signUrl } from '../src/client/index.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Row, ratioRow, round, skippedRow } from './support/row.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, type Load, load } from './support/wrk.ts'

const what = 'Cached card over HTTP'
const words = { title: 'How we cut cold starts', subtitle: 'A field report', author: 'Ada Lovelace' }
const rounds = 5
const ratioMin = 0.75

/** The cost of each authentication strategy, compared with the same service without counting. */
export async function benchMetering(): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow(what, 'wrk is not installed (Debian: apt-get install wrk)')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const env = { HOST: '127.0.0.1', DEMO_DAILY_QUOTA: '1000000000', KEY_DAILY_QUOTA: '1000000000' }
  const metered = await startProgram(['src/main.ts'], { ...env, DATA_DIR: join(directory, 'metered') })
  const unmetered = await startProgram(['bench/support/unmetered-server.ts', '{port}'], {
    ...env,
    DATA_DIR: join(directory, 'unmetered'),
  })
  try {
    const issued = (await (await fetch(`${metered.url}/api/key`)).json()) as { id: string; secret: string }
    const pair: KeyPair = { key: issued.id, secret: issued.secret }
    const demo = `/api/og?${new URLSearchParams({ ...words, demo: '1' })}`
    const { pathname, search } = new URL(await embedUrl(`${metered.url}/api/og`, words, pair))
    const ways: Readonly<Record<string, () => Promise<string>>> = {
      demo: async () => metered.url + demo,
      // Signed anew each round: it lives for minutes only.
      signed: () => signUrl(`${metered.url}/api/og?${new URLSearchParams(words)}`, pair),
      embed: async () => metered.url + pathname + search,
    }
    const rows: Row[] = []
    for (const [name, url] of Object.entries(ways)) {
      async function compare(): Promise<readonly Row[]> {
        const pairs: { readonly metered: Load; readonly unmetered: Load }[] = []
        for (let n = 0; n <= rounds; n++) {
          const both = {
            metered: await load(await url(), metered.pid, { seconds: 1 }),
            unmetered: await load(unmetered.url + demo, unmetered.pid, { seconds: 1 }),
          }
          // The first round warms up.
          if (n > 0) pairs.push(both)
        }
        return [costRow(name, pairs)]
      }
      rows.push(...(await repeatIfShort(compare)))
    }
    return rows
  } finally {
    metered.stop()
    unmetered.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function costRow(name: string, pairs: readonly { readonly metered: Load; readonly unmetered: Load }[]): Row {
  function middle(of: (pair: (typeof pairs)[number]) => number) {
    return median(pairs.map(of))
  }
  const ratio = middle(({ metered, unmetered }) => unmetered.cpuMicros / metered.cpuMicros)
  return ratioRow({
    what: `${what}, ${name} call, CPU time of the server`,
    ours: `${round(middle(({ metered }) => metered.cpuMicros))} µs`,
    peer: `not metered ${round(middle(({ unmetered }) => unmetered.cpuMicros))} µs`,
    ratio,
    atLeast: ratioMin,
  })
}
