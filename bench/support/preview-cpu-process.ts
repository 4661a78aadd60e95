import { installPeers, loadPeers, ours } from './preview-peers.ts'
import { largePages, type QualityPage, qualityPages } from './preview-quality-pages.ts'

/**
 * Prints what a page costs the reader that is named, in the first round over all pages and in later ones, and what all
 * large pages cost together.
 */
async function measure(name: string): Promise<void> {
  const folder = installPeers() ?? ''
  const pages = qualityPages(folder)
  const large = largePages(pages)
  const reader = [ours, ...loadPeers(folder)].find((other) => other.name === name)
  if (reader === undefined) throw new Error(`No reader is called ${name}.`)
  async function roundMs(list: readonly QualityPage[]): Promise<number> {
    const before = process.cpuUsage()
    for (const page of list) await reader?.read(page).catch(() => {})
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const cold = (await roundMs(pages)) / pages.length
  // Slow readers take minutes for more.
  const rounds = cold > slowMs ? 1 : warmUps + counted
  const warm: number[] = []
  const largeMs: number[] = []
  for (let index = 0; index < rounds; index++) {
    warm.push((await roundMs(pages)) / pages.length)
    largeMs.push(cold > slowMs ? Number.NaN : await roundMs(large))
  }
  console.log(JSON.stringify({ cold, warm: meanOfLast(warm), large: meanOfLast(largeMs) }))
}

function meanOfLast(values: readonly number[]): number {
  const last = values.slice(-counted)
  return last.reduce((sum, ms) => sum + ms, 0) / last.length
}

const slowMs = 20
const warmUps = 3
const counted = 3

await measure(process.argv[2] ?? '')
process.exit(0)
