import type { CardImage } from './types.ts'

type Tag = readonly [name: string, value: string | number]

/** The tags of a card's picture, escaped, one a line. */
export function headTags(image: CardImage): string {
  // og:image itself, then its properties.
  const properties = Object.entries(image).map(
    ([name, value]): Tag => [`og:image:${name}`.replace(':url', ''), value],
  )
  const tags: readonly Tag[] = [
    ...properties,
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', image.url],
    ['twitter:image:alt', image.alt],
  ]
  return tags
    .map(([name, value]) => {
      const attribute = /^og/.test(name) ? 'property' : 'name'
      const content = `${value}`
        .replace(/&/g, '&amp;')
        .replace(/[<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
      return `<meta ${attribute}="${name}" content="${content}">`
    })
    .join('\n')
}
