import { nonEmptyText } from './clean-text.ts'
import type { PageMetadata, Part } from './page-metadata.ts'
import { metaContents, type Page } from './rule.ts'
import { letters } from './site-identity.ts'

interface Placed {
  readonly at: number
  readonly part: Part
}

/** Elements in the order of how near they are to the heading of the page; those of margins come last. */
export function nearestToHeading<Item extends Placed>(items: readonly Item[], page: Page): readonly Item[] {
  if (items.length < 2) return items
  const heading = headingAt(page)
  function distance({ at, part }: Item) {
    return (part === 'margin' ? farAway : 0) + (heading === undefined ? at : Math.abs(at - heading))
  }
  return [...items].sort((one, other) => distance(one) - distance(other))
}

/** The heading that is in the title, as the logo of a site is often a heading too; else the first. */
function headingAt(page: Pick<Page, 'metadata' | 'contents'>): number | undefined {
  const { headings }: PageMetadata = page.metadata
  const title = letters(`${nonEmptyText(page.metadata.title) ?? ''} ${metaContents(page, 'og:title')[0] ?? ''}`)
  const titled = headings.filter(({ text }) => letters(text).length >= 8 && title.includes(letters(text)))
  const [best = headings.find(({ level }) => level === 1) ?? headings[0]] = titled
  return best?.at
}

const farAway = 1_000_000
