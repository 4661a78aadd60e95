import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { packageFile } from '../../lib/package-files.ts'
import type { IconLogo } from './badge.ts'

/** A brand's outline in a view box of 24 by 24. */
type Icon = Pick<IconLogo, 'slug' | 'd'>

const cache = new LRUCache<string, Icon>({ maxSize: 2 ** 20, sizeCalculation: ({ d }) => d.length + 64 })

/**
 * The icon of this name in Simple Icons, or undefined. The name may be a title or a slug: `Node.js` is `nodedotjs`.
 * Icons are read on demand: the whole set is 5 MB, one icon about 1 kB.
 */
export function findIcon(name: string): Icon | undefined {
  const slug = slugOf(name)
  const cached = cache.get(slug)
  if (cached || slug === '') return cached
  const d = /<path d="([^"]+)"\/>/.exec(readIcon(slug))?.[1]
  if (d === undefined) return undefined
  const icon = { slug, d }
  cache.set(slug, icon)
  return icon
}

/** Only `a` to `z` and digits remain, so no name leads out of the folder. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll('.', 'dot')
    .replaceAll('&', 'and')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
}

function readIcon(slug: string): string {
  try {
    return readFileSync(packageFile('simple-icons', `icons/${slug}.svg`), 'utf8')
  } catch {
    return ''
  }
}
