import { machine, type SectionResult } from './report/section-result.ts'
import { failed } from './report/verdict.ts'
import type { Quietness } from './support/quietness.ts'
import type { Row } from './support/row.ts'
import { TimeLimitPassed } from './support/time-limit.ts'

/** Runs one section between two looks at how quiet the machine is, and tells it the first: the worse of both is told. */
export async function measureSection(
  name: string,
  bench: (slowerTimes: number | undefined) => Promise<readonly Row[]>,
  quietness: Pick<Quietness, 'probe'>,
): Promise<SectionResult> {
  const before = await quietness.probe()
  const startMs = performance.now()
  const rows = await rowsOf(name, () => bench(before))
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  const after = await quietness.probe()
  const isKnown = before !== undefined && after !== undefined
  return {
    name,
    measuredOn: new Date().toISOString().slice(0, 10),
    machine,
    ...(isKnown && { slowerTimes: Math.max(before, after) }),
    seconds,
    rows,
  }
}

/** A section that ends with an error is tried once more, if it was not for the time, and must not take the others with it. */
async function rowsOf(
  name: string,
  bench: () => Promise<readonly Row[]>,
  triesLeft = 1,
): Promise<readonly Row[]> {
  try {
    return await bench()
  } catch (error) {
    console.error(error)
    if (triesLeft > 0 && !(error instanceof TimeLimitPassed)) return rowsOf(name, bench, triesLeft - 1)
    const peer = String(error).split('\n')[0]?.replaceAll('|', '\\|') ?? ''
    return [{ what: name, ours: failed, peer, ratio: '', target: '', passed: false }]
  }
}
