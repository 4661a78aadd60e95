import documents from '../data/guides.json' with { type: 'json' }

export interface Guide {
  readonly slug: string
  readonly file: string
  readonly label: string
  readonly summary: string
  /** A picture below the introduction, of `sample-pictures.ts`: what the reader will have. */
  readonly picture?: string | undefined
  /** An icon of Simple Icons, in the list of guides. */
  readonly logo?: string | undefined
  /** True if its blocks of YAML together are a theme, which is shown as it grows. */
  readonly isTheme?: boolean | undefined
  /** Anchors that it had before, and the headings that have their text now. */
  readonly oldAnchors?: Readonly<Record<string, string>> | undefined
  /** True if it is about paying: documents of a server without a wallet leave it out. */
  readonly needsWallet?: boolean | undefined
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
  /** True if the guides are for operators: documents for callers and crawlers leave them out. */
  readonly isForOperators: boolean
}

export const guideGroups: readonly GuideGroup[] = documents.groups

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides)

export function callerGuides(isPaid: boolean): readonly Guide[] {
  return guideGroups
    .filter(({ isForOperators }) => !isForOperators)
    .flatMap((group) => group.guides.filter(({ needsWallet = false }) => isPaid || !needsWallet))
}

export function guidePath({ slug }: Guide): string {
  return `/docs/${slug}`
}

export function markdownPath(guide: Guide): string {
  return `${guidePath(guide)}.md`
}

/** Pages of guides that were divided: their slugs, titles, and for each of their anchors where its text is now. */
export const dividedGuides: Readonly<
  Record<string, { readonly title: string; readonly parts: Readonly<Record<string, string>> }>
> = documents.divided
