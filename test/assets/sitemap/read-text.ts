import { w3cDate } from '../../../src/assets/sitemap/entry-fields.ts'
import { SitemapReader } from '../../../src/assets/sitemap/read-sitemap.ts'
import type { SitemapEntry } from '../../../src/assets/sitemap/write-sitemap.ts'
import { createCpuBudget } from '../../../src/lib/cooperative-scheduler.ts'

/** The time of these tests, so that dates of theirs are not in the future. */
const nowMs = Date.UTC(2026, 5, 1)

/** Reads a whole sitemap, up to `recordsMax` entries and sitemaps together. */
export async function readSitemap(text: string, recordsMax: number) {
  const entries: SitemapEntry[] = []
  const children: string[] = []
  const titles: string[] = []
  const reader = new SitemapReader({
    isDone: () => entries.length + children.length >= recordsMax,
    onWork() {},
    wantsExtensions: () => true,
    onRecord({ isSitemap, loc, lastmod, extensions, title }) {
      if (isSitemap) return void children.push(loc)
      entries.push({ loc, lastmod: w3cDate(lastmod, nowMs), ...(extensions !== '' && { extensions }) })
      if (title !== '') titles.push(title)
    },
  })
  const budget = createCpuBudget()
  await budget.run(reader.read(text))
  await budget.run(reader.end())
  return { entries, children, titles, isCut: reader.isCut(), skippedKinds: [...reader.skippedKinds()] }
}
