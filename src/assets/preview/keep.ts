import type { PageMetadata } from './page-metadata.ts'

/**
 * Adds an item to a list of a page, unless the list is full. Each list has limits of its own, so that what a page has
 * too much of costs nothing else its place.
 */
export function keep<Item>(
  { charsOf }: Pick<PageMetadata, 'charsOf'>,
  list: Item[],
  item: Item,
  countMax: number,
  ...texts: readonly (string | undefined)[]
): void {
  if (list.length >= countMax) return
  let chars = charsOf.get(list) ?? 0
  for (const text of texts) chars += text?.length ?? 0
  if (chars > charsMax) return
  charsOf.set(list, chars)
  list.push(item)
}

/** Most characters kept per list; a list of a real page has about 1 % of it. */
const charsMax = 131_072
