import { expect, test } from 'bun:test'
import { measure } from '../../bench/faults/measure.ts'
import { failuresOf } from '../../bench/faults/scenario.ts'
import { scenarios } from '../../bench/faults/scenarios.ts'

/**
 * Left to `bun run faults`: they take long whatever the number of tries. `test/dockerfile.test.ts` tries the container with
 * less to copy.
 */
const slow = new Set([
  'rpc-lies',
  'drip-servers',
  'login-flood',
  'container',
  'late-blocks',
  'heavy-texts',
  'money-here-already',
])

/** Tests run beside one another, and on slow machines. */
const stallSlack = 10

for (const scenario of scenarios) {
  if (slow.has(scenario.name)) continue
  test(`${scenario.title}: nothing is lost, nothing is served wrongly, nothing grows`, async () => {
    const measured = await measure(scenario, { isQuick: true })
    if (measured.skipped !== undefined) console.log(`left out: ${measured.skipped}`)
    expect(failuresOf(measured, { stallSlack })).toEqual([])
  })
}
