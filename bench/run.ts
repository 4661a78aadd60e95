import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { benchAdmin } from './admin.ts'
import { benchAvatars } from './avatar.ts'
import { benchBadges } from './badge.ts'
import { benchBrands } from './brands.ts'
import { benchCards } from './cards.ts'
import { benchEncoders } from './encoders.ts'
import { benchHttp } from './http.ts'
import { benchKeys } from './keys.ts'
import { benchLag } from './lag.ts'
import { benchLineBreaks } from './line-breaks.ts'
import { benchMemory } from './memory.ts'
import { benchMetering } from './metering.ts'
import { benchPayments } from './payments.ts'
import { benchPreview } from './preview.ts'
import { benchServers } from './servers.ts'
import { benchSitemap } from './sitemap.ts'
import { benchStart } from './start.ts'
import { markdownTable, type Row } from './support/measure.ts'
import { benchWorkers } from './workers.ts'

/** Every comparison by the name it is called with: `bun run bench cards http`. */
const benches: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  cards: benchCards,
  brands: benchBrands,
  encoders: benchEncoders,
  'line-breaks': benchLineBreaks,
  lag: benchLag,
  memory: benchMemory,
  start: benchStart,
  http: benchHttp,
  keys: benchKeys,
  metering: benchMetering,
  servers: benchServers,
  workers: benchWorkers,
  badge: benchBadges,
  avatar: benchAvatars,
  preview: benchPreview,
  sitemap: benchSitemap,
  payments: benchPayments,
  admin: benchAdmin,
}

const wanted = process.argv.slice(2)
for (const name of wanted)
  if (!(name in benches)) throw new Error(`no bench ${name}; there are ${Object.keys(benches).join(', ')}`)

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`
const sections = [
  `# Results\n\nEach row compares in one run, on ${machine}. Times are CPU time of the whole process per operation.`,
  'How fast the machine was in that hour shows under http: one request of the constant route takes 7 µs of CPU in a quiet one. Ratios bear a slow hour better than rows without a peer, and those of programs that allocate little better than those of servers.',
]
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const section = `## ${name}\n\n${markdownTable(await bench())}`
  console.log(`\n${section}`)
  sections.push(section)
}
if (wanted.length === 0)
  await writeFile(new URL('./RESULTS.md', import.meta.url), `${sections.join('\n\n')}\n`)
process.exit(0)
