import { readersCpuMs } from './support/preview-cpu.ts'
import { installPeers, loadPeers, ours, type Peer } from './support/preview-peers.ts'
import {
  pagesOfToday,
  type QualityField,
  type QualityPage,
  qualityPages,
} from './support/preview-quality-pages.ts'
import { type Verdict, verdictOf, verdicts } from './support/preview-score.ts'

/** Prints how well previews read real pages, field by field, and how long a page takes, beside five other readers. */
async function compare(): Promise<void> {
  const folder = installPeers()
  if (folder === undefined) {
    console.log('skipped: without a package registry there are neither pages nor other readers')
    return
  }
  const readers = [ours, ...(process.argv.includes('--alone') ? [] : loadPeers(folder))]
  console.log('right/near/wrong/missing +invented, which is what was named where people found nothing')
  console.log('Misses of the first half are listed by --list; those of the second are for nobody to look at.')
  await compareOn('real pages of 2010 to 2014, halves', qualityPages(folder), readers)
  await compareOn('pages as generators of today write them', pagesOfToday(), readers)
  console.log(
    '\nms of CPU, each reader in a process of its own: a page when it has just started, a page once it is warm, and all pages of more than 500 KB together',
  )
  for (const [name, { cold, warm, large }] of readersCpuMs(readers.map((reader) => reader.name)))
    console.log(
      `  ${name.padEnd(20)} ${cold.toFixed(2).padStart(6)} ${warm.toFixed(2).padStart(6)} ${large?.toFixed(0).padStart(6) ?? ''}`,
    )
}

async function compareOn(
  name: string,
  pages: readonly QualityPage[],
  readers: readonly Peer[],
): Promise<void> {
  const results: Result[] = []
  for (const reader of readers) results.push(await resultOf(reader, pages))
  console.log(`\n${pages.length} ${name}`)
  for (const field of fields) {
    const counts = halves.map((half) => labelledIn(pages, field, half))
    const empty = pages.filter(({ labels }) => labels[field]?.length === 0).length
    if (counts.every((count) => count === 0)) continue
    console.log(`\n${field}: ${counts.join(' and ')} pages; ${empty} without any`)
    for (const { name, scores } of results)
      console.log(`  ${name.padEnd(20)} ${halves.map((half) => line(scores, field, half)).join('   ')}`)
  }
}

const fields = [
  'title',
  'description',
  'image',
  'logo',
  'author',
  'date',
  'site',
] as const satisfies readonly QualityField[]

const halves = [0, 1] as const

function labelledIn(pages: readonly QualityPage[], field: QualityField, half: number): number {
  return pages.filter((page) => page.half === half && (page.labels[field]?.length ?? 0) > 0).length
}

interface Result {
  readonly name: string
  /** Scores by field and half. */
  readonly scores: ReadonlyMap<string, Score>
}

type Score = Record<Verdict | 'invented', number>

async function resultOf(reader: Peer, pages: readonly QualityPage[]): Promise<Result> {
  const scores = new Map<string, Score>()
  for (const page of pages) {
    const found = await reader.read(page).catch(() => ({}) as Awaited<ReturnType<Peer['read']>>)
    for (const field of fields) {
      const right = page.labels[field]
      if (right === undefined) continue
      const value = found[field] || undefined
      if (right.length === 0 && value === undefined) continue
      const verdict = right.length > 0 ? verdictOf(field, value, right) : 'invented'
      const score = scores.get(`${field} ${page.half}`) ?? { ...noScore }
      score[verdict] += 1
      scores.set(`${field} ${page.half}`, score)
      const isListed = process.argv.includes('--list') && reader === ours && page.half === 0
      if (isListed && verdict !== 'right')
        console.log(`${verdict} ${field} ${page.url.slice(0, 70)}: ${value} | ${right.join('/')}`)
    }
  }
  return { name: reader.name, scores }
}

const noScore: Score = { right: 0, near: 0, wrong: 0, missing: 0, invented: 0 }

function line(scores: Result['scores'], field: QualityField, half: number): string {
  const score = scores.get(`${field} ${half}`) ?? noScore
  return `${verdicts.map((verdict) => score[verdict]).join('/')} +${score.invented}`.padEnd(20)
}

await compare()
process.exit(0)
