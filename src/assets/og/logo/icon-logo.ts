import { memo } from '../../../lib/memo.ts'
import { findIcon } from '../../find-icon.ts'
import type { CardLogo } from '../brand/card-logo.ts'

/** The mark of this name in Simple Icons as a logo in its brand's colour; undefined when there is none. */
export function iconLogo(name: string): CardLogo | undefined {
  return findIcon(name) && logoOfIcon(name)
}

/** Returns one object for each name, because measurements of a logo are cached by the object. */
const logoOfIcon = memo((name: string): CardLogo => {
  const { slug = '', d = '', brandColor = '#000000' } = findIcon(name) ?? {}
  return {
    kind: 'shapes',
    key: `icon ${slug}`,
    width: 24,
    height: 24,
    shapes: [{ d, fill: brandColor }],
    singleColor: brandColor,
  }
})
