import { precompiledProgram } from '../src/cli/precompiled.ts'
import { processTree } from './faults/support/process-tree.ts'
import { measureSection } from './measure-section.ts'
import { circumstances, markdownTable } from './report/results-page.ts'
import { type SectionResult, saveBest, savedBest, savedResults, saveResult } from './report/section-result.ts'
import { failed, verdictOf } from './report/verdict.ts'
import { writePage } from './report/write-page.ts'
import { sections } from './sections.ts'
import { watchQuietness } from './support/quietness.ts'
import { runSectionApart } from './support/section-process.ts'
import { planTime } from './time-plan.ts'

/**
 * `bun run bench [--write] [name…]`: measures every section, or those that are named, and prints what it found. Without
 * names, or with `--write`, it keeps that in `bench/results/` and writes `bench/RESULTS.md` anew from all that is kept
 * there; `--page` only does the latter. It says how long that will take, and takes half an hour at most: a section that has
 * not ended in its time is told as one that failed. It ends with 1 when a row missed its bound on a quiet machine.
 */
const words = process.argv.slice(2)
const wanted = words.filter((word) => word !== '--write' && word !== '--page')
const isWriting = wanted.length === 0 || words.includes('--write')
const names = Object.keys(sections)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No section is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}

if (words.includes('--page')) {
  await writePage(names)
  process.exit(0)
}

if (precompiledProgram() !== undefined) {
  console.error('Remove dist/precompiled first: rows of the source would measure it.')
  process.exit(2)
}

// A signal also ends the processes that this run started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const pid of processTree(process.pid).slice(1)) process.kill(pid, 'SIGKILL')
    process.exit(1)
  })
}

const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name))
const plan = planTime(chosen, savedResults(names))
const startMs = Date.now()
console.log(plan.text)
const quietness = await watchQuietness(savedBest())
const results: SectionResult[] = []
for (const name of chosen) {
  const nowMs = Date.now()
  function runSection(slowerTimes: number | undefined) {
    const { limitSeconds, repeatSeconds } = plan.limits(name, (nowMs - startMs) / 1_000, slowerTimes)
    return runSectionApart(name, {
      deadlineMs: nowMs + 1_000 * limitSeconds,
      repeatMs: 1_000 * repeatSeconds,
    })
  }
  const result = await measureSection(name, runSection, quietness)
  console.log(`\n## ${name}\n\n${circumstances(result)}\n\n${markdownTable(result.rows)}`)
  results.push(result)
  // A section that failed keeps its earlier results.
  if (isWriting && !result.rows.some(({ ours }) => ours === failed)) await saveResult(result)
}
quietness.stop()
if (isWriting) {
  await saveBest(quietness.best())
  await writePage(names)
}
const { exitCode, text } = verdictOf(results)
console.log(`\n${text}`)
process.exit(exitCode)
