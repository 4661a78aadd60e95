import type { Heading, Part } from './page-metadata.ts'
import { anchorAtEnd, cleanPageText, nonEmptyText } from './page-text.ts'
import { metaContents, oncePerPage, type PreviewedPage } from './rule.ts'
import { letters } from './site-name.ts'

export function nearestToHeading<Item extends { readonly at: number; readonly part: Part }>(
  items: readonly Item[],
  page: PreviewedPage,
): readonly Item[] {
  if (items.length < 2) return items
  const heading = headingOf(page)
  function distance({ at, part }: Item) {
    return (part === 'margin' ? farAway : 0) + (heading === undefined ? at : Math.abs(at - heading.at))
  }
  return [...items].sort((one, other) => distance(one) - distance(other))
}

const listArticlesMin = 3
const longWordChars = 4

/** A list of articles has the author and the date of each: none of its headings is in its title, but for the name of the site. */
export const isList = oncePerPage(({ metadata: { articles, headings, title = '' }, isSiteName }): boolean => {
  if (articles < listArticlesMin) return false
  const [named, titleWords] = [letters(title), new Set(wordsOf(title))]
  function isInTitle(text: string): boolean {
    const words = wordsOf(text).filter((word) => word.length >= longWordChars)
    const count = words.filter((word) => titleWords.has(word)).length
    return named.includes(letters(text)) || (count >= sureWordsMin && count >= words.length / 2)
  }
  return !headings.some(({ text }) => isInTitle(text) && !isSiteName(text))
})

/** Short lines below the heading of the page: author and date are there, marked or not. */
export const linesBelowHeading = oncePerPage((page): readonly string[] => {
  if (isList(page)) return []
  const { headings } = page.metadata
  const heading = headingOf(page)
  const following =
    heading === undefined ? [] : headings.slice(headings.indexOf(heading) + 1, headings.indexOf(heading) + 3)
  const below = [heading?.below ?? '', ...following.flatMap((next) => [next.text, next.below])]
  const lines = below.join('\n').slice(0, 700).split('\n')
  return lines
    .map(cleanPageText)
    .map((line) => dateline.exec(line)?.[1] ?? line)
    .filter((line) => line !== '' && line.length <= 140 && (!sentence.test(line) || says.test(line)))
})

/** The heading that shares most words with the title, as the logo of a site is often a heading too; else the first. */
export const headingOf = oncePerPage(({ metadata: { headings, title }, contents }): Heading | undefined => {
  const titleWords = new Set(wordsOf(`${title ?? ''} ${metaContents({ contents }, 'og:title')[0] ?? ''}`))
  let best = headings.find(({ level }) => level === 1) ?? headings[0]
  let bestCount = 0
  for (const heading of best === undefined ? [] : [best, ...headings]) {
    const words = wordsOf(heading.text)
    const count = words.filter((word) => titleWords.has(word)).length
    if (count > bestCount && count >= words.length * sharedWordsMin) [best, bestCount] = [heading, count]
    if (bestCount >= sureWordsMax || (bestCount >= sureWordsMin && bestCount === words.length)) return best
  }
  return best
})

/** A heading without its number and the link to it. */
export function nameOfHeading({ text }: Heading): string | undefined {
  return nonEmptyText(text.replace(anchorAtEnd, '').replace(/^[\d.]+\s+(?=\p{L})/u, ''))
}

export function wordsOf(text: string): readonly string[] {
  return (
    text
      .slice(0, 500)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  )
}

/** The first words of an article by an agency: `HAMBURG, Jan. 3, 2018 /PRNewswire/ -- The harbour …`. */
const dateline = /^([^–—]{8,80}?\d{4}[^–—]{0,30}?)\s(?:--|–|—)\s/u
/** A sentence, which may mention an author or a date without being the line that states them. */
const sentence =
  /^\S+(?:\s+\S+){12,}[.!?]$|^\S+(?:\s+\S+){8,}\s+\S*\p{Ll}{3}[.!?:]$|^\S+(?:\s+\S+){4,}:\s\p{Ll}/u
/** A sentence may be that line as well: `This entry was posted on May 17, 2012.` */
const says =
  /\b(?:entry|posted|published|written|eintrag|veröffentlicht|article|publié|publicado|publicada)\b/iu
const sharedWordsMin = 0.6
const sureWordsMin = 3
const sureWordsMax = 5
const farAway = 1_000_000
