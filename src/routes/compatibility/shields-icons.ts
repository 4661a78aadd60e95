import { listIcons } from '../../assets/list-icons.ts'

/**
 * The slug of the icon that shields.io draws for a name: the slug, the title, or the title with hyphens for spaces, in any
 * case; and of the mark's other names the same. Undefined for every other spelling: shields.io draws the badge without it.
 */
export function shieldsIcon(name: string): string | undefined {
  slugs ??= new Map([
    ...listIcons().flatMap(spellingsOf).reverse(),
    ...listIcons().map(({ slug }): SlugPair => [slug, slug]),
  ])
  return slugs.get(hyphenated(name))
}

let slugs: ReadonlyMap<string, string> | undefined

type SlugPair = readonly [spelling: string, slug: string]

function spellingsOf({ slug, names }: ReturnType<typeof listIcons>[number]): SlugPair[] {
  return names.map((name) => [hyphenated(name), slug])
}

function hyphenated(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
