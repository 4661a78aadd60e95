import { spawnSync } from 'node:child_process'
import { inTurns, NotPossibleHere, type Row, row } from './support/measure.ts'
import { installPeers, loadPeers, ours, type Peer } from './support/preview-peers.ts'
import {
  type CpuMs,
  fields,
  pagesOfToday,
  type QualityField,
  type QualityPage,
  qualityPages,
  verdictOf,
} from './support/preview-quality-pages.ts'

/**
 * How well previews read real pages, field by field, beside five other readers: at least as good as the best of them in
 * every field. With `BENCH_LIST=1` misses of the first half are listed; those of the second are for nobody to look at.
 */
export async function benchPreviewQuality(): Promise<readonly Row[]> {
  const folder = installPeers()
  if (folder === undefined)
    throw new NotPossibleHere('without a package registry there are neither pages nor other readers')
  const readers = [ours, ...loadPeers(folder)]
  return [
    ...(await fieldRows('pages of 2010 to 2014', qualityPages(folder), readers)),
    ...(await fieldRows('pages of today', pagesOfToday(), readers)),
    ...(await cpuRows(readers.map(({ name }) => name))),
  ]
}

interface Score {
  right: number
  near: number
  wrong: number
  missing: number
  /** Named where people found nothing. */
  invented: number
}

async function fieldRows(
  set: string,
  pages: readonly QualityPage[],
  readers: readonly Peer[],
): Promise<Row[]> {
  const scores = new Map<Peer, Readonly<Record<QualityField, Score>>>()
  for (const reader of readers) scores.set(reader, await scoresOf(reader, pages))
  return fields.flatMap((field) => {
    const labelled = pages.filter(({ labels }) => (labels[field]?.length ?? 0) > 0).length
    if (labelled === 0) return []
    const all = readers.map(({ name }, index) => {
      const score = scores.get(readers[index] as Peer)?.[field]
      return { name, right: score?.right ?? 0, shown: Object.values(score ?? {}).join('/') }
    })
    const [own, ...peers] = all
    const best = peers.toSorted((one, other) => other.right - one.right)[0]
    return row({
      what: `${field} of ${labelled} ${set}, right`,
      ours: own?.right ?? 0,
      min: best?.right ?? 0,
      note: `right/near/wrong/missing/invented: ${all.map(({ name, shown }) => `${name} ${shown}`).join(', ')}`,
    })
  })
}

async function scoresOf(reader: Peer, pages: readonly QualityPage[]): Promise<Record<QualityField, Score>> {
  const empty = () => ({ right: 0, near: 0, wrong: 0, missing: 0, invented: 0 })
  const scores = Object.fromEntries(fields.map((field) => [field, empty()])) as Record<QualityField, Score>
  for (const page of pages) {
    const found = await reader.read(page).catch(() => ({}) as Awaited<ReturnType<Peer['read']>>)
    for (const field of fields) {
      const right = page.labels[field]
      const value = found[field] || undefined
      if (right === undefined || (right.length === 0 && value === undefined)) continue
      const verdict = right.length > 0 ? verdictOf(field, value, right) : 'invented'
      scores[field][verdict] += 1
      const isListed = process.env['BENCH_LIST'] === '1' && reader === ours && page.half === 0
      if (isListed && verdict !== 'right')
        console.log(`${verdict} ${field} ${page.url.slice(0, 70)}: ${value} | ${right.join('/')}`)
    }
  }
  return scores
}

/**
 * CPU time of readers, each in a process of its own, so that none profits from what the ones before it had compiled, or
 * pays for their garbage.
 */
async function cpuRows(names: readonly string[]): Promise<Row[]> {
  const script = new URL('support/preview-cpu-process.ts', import.meta.url).pathname
  function runAlone(name: string): CpuMs {
    return JSON.parse(spawnSync(process.execPath, [script, name], { encoding: 'utf8' }).stdout)
  }
  const rows: Row[] = []
  for (const peer of names.slice(1)) {
    const isJudged = peer === 'unfurl.js'
    const sides = [ours.name, peer].map((name) => () => runAlone(name))
    const turns = await inTurns(sides, { warmUps: 0, rounds: isJudged ? 3 : 1 })
    for (const kind of ['cold', 'warm'] as const) {
      const figure = (cpu: CpuMs) => cpu[kind]
      const [own, theirs] = [turns.median(0, figure), turns.median(1, figure)]
      const figures = {
        what: `A page, ${kind} process`,
        ours: own,
        unit: 'ms',
        peer,
        theirs,
        ratio: theirs / own,
      }
      // Ours takes at most 1.3 times as long as the fastest.
      rows.push(row({ ...figures, ...(isJudged && kind === 'warm' && { min: 0.77 }) }))
    }
  }
  return rows
}
