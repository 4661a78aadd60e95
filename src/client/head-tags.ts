import type { CardImage } from './types.ts'

/** The tags of a card's picture, escaped, one a line. */
export function headTags(image: CardImage): string {
  // og:image itself, then its properties.
  const properties = Object.entries(image).map(([name, value]) => [
    `og:image:${name}`.replace(':url', ''),
    value,
  ])
  return [
    ...properties,
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', image.url],
    ['twitter:image:alt', image.alt],
  ]
    .map(([name, content]) => {
      const attribute = /^og/.test(name) ? 'property' : 'name'
      return `<meta ${attribute}="${name}" content="${escapeHtml(`${content}`)}">`
    })
    .join('\n')
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/[<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
