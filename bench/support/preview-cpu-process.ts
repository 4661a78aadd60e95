import { installPeers, loadPeers, ours } from './preview-peers.ts'
import { qualityPages } from './preview-quality-pages.ts'

/** Prints what a page costs the reader that is named, in the first round over all pages and in later ones. */
async function measure(name: string): Promise<void> {
  const folder = installPeers() ?? ''
  const pages = qualityPages(folder)
  const reader = [ours, ...loadPeers(folder)].find((other) => other.name === name)
  if (reader === undefined) throw new Error(`No reader is called ${name}.`)
  async function round(): Promise<number> {
    const before = process.cpuUsage()
    for (const page of pages) await reader?.read(page).catch(() => {})
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 / pages.length
  }
  const cold = await round()
  // Slow readers take minutes for more.
  const rounds = cold > slowMs ? 1 : warmUps + counted
  const warm: number[] = []
  for (let index = 0; index < rounds; index++) warm.push(await round())
  const last = warm.slice(-counted)
  console.log(JSON.stringify({ cold, warm: last.reduce((sum, ms) => sum + ms, 0) / last.length }))
}

const slowMs = 5
const warmUps = 3
const counted = 3

await measure(process.argv[2] ?? '')
process.exit(0)
