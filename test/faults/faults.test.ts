import { expect, test } from 'bun:test'
import { measure } from '../../bench/faults/measure.ts'
import { failuresOf } from '../../bench/faults/scenario.ts'
import { scenarios } from '../../bench/faults/scenarios.ts'

/** Those of `bun run faults` that take a few seconds with few tries. */
const quick = [
  'kill-server',
  'kill-two-servers',
  'kill-worker',
  'log-full',
  'hostile-sitemaps',
  'hostile-pages',
  'one-byte-chunks',
  'hostile-bodies',
  'head-flood',
  'kill-payments',
  'spend-twice',
  'facilitator-words',
  'gas-drain',
]

/** Tests run beside one another, and on slow machines. */
const stallSlack = 10

for (const name of quick) {
  const scenario = scenarios.find((one) => one.name === name)
  test(`${scenario?.title}: nothing is lost, nothing is served wrongly, nothing grows`, async () => {
    if (scenario === undefined) throw new Error(`There is no scenario ${name}.`)
    const measured = await measure(scenario, { isQuick: true })
    if (measured.skipped !== undefined) console.log(`left out: ${measured.skipped}`)
    expect(failuresOf(measured, { stallSlack })).toEqual([])
  }, 120_000)
}
