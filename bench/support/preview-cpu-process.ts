import { cpuMsOf } from './measure.ts'
import { installPeers, loadPeers, ours } from './preview-peers.ts'
import { qualityPages } from './preview-quality-pages.ts'

/** Prints what a page costs the reader that is named, in the first round over all pages and in later ones. */
const folder = installPeers() ?? ''
const pages = qualityPages(folder)
const reader = [ours, ...loadPeers(folder)].find(({ name }) => name === process.argv[2])
async function pageMs(): Promise<number> {
  const ms = await cpuMsOf(async () => {
    for (const page of pages) await reader?.read(page).catch(() => {})
  })
  return ms / pages.length
}
const cold = await pageMs()
// Slow readers take minutes for more.
const rounds = cold > 20 ? 1 : 6
const warm: number[] = []
while (warm.length < rounds) warm.push(await pageMs())
const counted = warm.slice(-3)
console.log(JSON.stringify({ cold, warm: counted.reduce((sum, ms) => sum + ms, 0) / counted.length }))
process.exit(0)
