import { closestWord } from '../../../lib/edit-distance.ts'
import { memo } from '../../../lib/memo.ts'
import { findIcon } from '../../find-icon.ts'
import { listIcons } from '../../list-icons.ts'
import type { CardLogo } from '../brand/card-logo.ts'

/** The mark of this name in Simple Icons as a logo in its brand's colour; undefined when there is none. */
export function iconLogo(name: string): CardLogo | undefined {
  return findIcon(name) && logoOfIcon(name)
}

/** What is wrong with the name of an icon, as the end of a sentence; undefined when there is such an icon. */
export function iconMistake(name: string): string | undefined {
  if (findIcon(name)) return undefined
  const closest = closestWord(
    name.toLowerCase(),
    listIcons().map(({ slug }) => slug),
  )
  const hint = closest === undefined ? 'simpleicons.org shows them all' : `did you mean ${closest}?`
  return `is not the name of an icon; ${hint}`
}

/** The same object for the same name: what is measured of a logo is kept with it. */
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
