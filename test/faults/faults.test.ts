import { expect, test } from 'bun:test'
import { failuresOf, measure } from '../../bench/faults/context.ts'
import { scenarios } from '../../bench/faults/scenarios.ts'

/** Left to `bun run faults`, because it takes long: `test/routes/fair-fetching.test.ts` tries sites that drip. */
const slow = 'drip-servers'

/** Tests run beside one another, and on slow machines. */
const stallSlack = 10

for (const scenario of scenarios) {
  if (scenario.name === slow) continue
  test(`${scenario.title}: nothing is lost, nothing is served wrongly, nothing grows`, async () => {
    const measured = await measure(scenario, { isQuick: true })
    if (measured.skipped !== undefined) console.log(`left out: ${measured.skipped}`)
    expect(failuresOf(measured, { stallSlack })).toEqual([])
  })
}
