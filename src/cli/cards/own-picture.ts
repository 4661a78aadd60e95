import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../lib/human-format.ts'
import { percentDecode } from '../../lib/query-pairs.ts'
import { networkBytesMax } from '../../raster/encode-within.ts'
import type { PagePlan } from './plan-pages.ts'
import type { SiteFacts } from './site-facts.ts'

/** Says why networks do not show the picture that a page has of its own; undefined where they do. */
export function unshownPicture(plan: PagePlan, folder: string, { base }: SiteFacts): string | undefined {
  const { picture, isPictureRelative } = plan.page.known.facts
  if (!('leftAlone' in plan) || plan.leftAlone !== 'own picture' || picture === undefined) return undefined
  const path = picture.split(/[?#]/)[0] ?? ''
  const bytes = path.startsWith(base) ? sizeOf(join(folder, percentDecode(path.slice(base.length)) ?? '')) : 0
  const faults = [
    /\.svgz?$/i.test(path) && 'is an SVG, which no network shows',
    isPictureRelative && 'is relative, and networks want the whole URL',
    bytes > networkBytesMax &&
      `has ${formatBytes(bytes)}, and WhatsApp shows at most ${formatBytes(networkBytesMax)}`,
    /\.webp$/i.test(path) && 'is a WebP, which LinkedIn does not show',
  ].filter((fault) => typeof fault === 'string')
  return faults.length === 0 ? undefined : `its og:image ${faults.join(', and ')}; --replace gives it a card`
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
