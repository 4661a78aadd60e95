import { writeFile } from 'node:fs/promises'
import { measure } from './measure.ts'
import { reportOf, tableOf } from './report.ts'
import { failuresOf, type Measurement } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { processTree } from './support/process-tree.ts'

/**
 * `bun run faults [name…]`: tries every fault, or those that are named, and prints what came of each. Without names it
 * writes `docs/RELIABILITY.md`. It ends with 1 when something was lost, served wrongly or beyond its bound.
 */
const wanted = process.argv.slice(2)
const names = scenarios.map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No fault is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}

// A signal also ends the processes that this run started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const pid of processTree(process.pid).slice(1)) process.kill(pid, 'SIGKILL')
    process.exit(1)
  })
}

const all: Measurement[] = []
for (const scenario of scenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario.name)) continue
  const measured = await measure(scenario)
  all.push(measured)
  const failures = failuresOf(measured)
  console.log(
    `${failures.length === 0 ? 'held  ' : 'NOT   '} ${scenario.name} (${measured.seconds.toFixed(1)} s)`,
  )
  for (const failure of failures) console.log(`         ${failure}`)
}
console.log(`\n${tableOf(all)}`)
if (wanted.length === 0) await writeFile(new URL('../../docs/RELIABILITY.md', import.meta.url), reportOf(all))
process.exit(all.some((measured) => failuresOf(measured).length > 0) ? 1 : 0)
