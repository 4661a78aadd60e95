import type { Asset } from '../../catalog.ts'

/** How an asset is shown in the playground. Everything else about it is in the catalog. */
export interface Presentation {
  readonly label: string
  readonly rows: readonly (readonly string[])[]
  /** What the form holds for somebody who comes for the first time. */
  readonly example: Readonly<Record<string, string>>
  /** Labels that say more than the parameter's name. */
  readonly names?: Readonly<Record<string, string>>
  readonly hidden?: readonly string[]
  readonly isLive?: boolean
  /** Whether its progress can be followed as server-sent events. */
  readonly tellsProgress?: boolean
}

/** An asset that is not listed gets a tab too, with its required parameters in front. */
export function presentationOf({ id, query, example }: Asset): Presentation {
  const label = id.charAt(0).toUpperCase() + id.slice(1)
  const rows = (query.required ?? []).map((name: string) => [name])
  return presentations[id] ?? { label, rows, example }
}

/** The listed ones as they are listed here, then the others. */
export function inTabOrder<Form extends { readonly asset: Asset }>(forms: readonly Form[]): readonly Form[] {
  const listed = Object.keys(presentations)
  function place({ asset }: Form) {
    return listed.includes(asset.id) ? listed.indexOf(asset.id) : listed.length
  }
  return forms.toSorted((one, other) => place(one) - place(other))
}

/** Where an asset is tried. */
export function tabAddress(assetId: string): string {
  return `/?kind=${assetId}#play`
}

const presentations: Readonly<Record<string, Presentation>> = {
  og: {
    label: 'Share card',
    rows: [['title'], ['subtitle'], ['author', 'url'], ['theme', 'format']],
    names: { url: 'Domain', lang: 'Language' },
    example: {
      title: 'Shipping a static site in an afternoon',
      subtitle: 'Notes on caching, signed URLs and share cards that never go stale',
      author: 'Ada Lovelace',
      url: 'docs.harbour.dev',
    },
  },
  badge: {
    label: 'Badge',
    rows: [
      ['label', 'value'],
      ['status', 'color'],
      ['logo', 'style'],
      ['scale', 'format'],
    ],
    names: { value: 'Value', color: 'Colour', logo: 'Icon' },
    example: { label: 'build', value: 'passing', status: 'success', logo: 'githubactions', scale: '2' },
  },
  avatar: {
    label: 'Avatar',
    rows: [['name'], ['size', 'shape'], ['background', 'color'], ['length', 'format']],
    names: { color: 'Letters', length: 'Initials', seed: 'Colour seed', lang: 'Language' },
    example: { name: 'Ada Lovelace', size: '192' },
  },
  preview: {
    label: 'Link preview',
    rows: [['url'], ['lang', 'format']],
    names: { url: 'Page', lang: 'Language' },
    hidden: ['fresh'],
    example: { url: 'https://example.com/' },
    isLive: true,
  },
  sitemap: {
    label: 'Site files',
    rows: [['domain'], ['max', 'ai'], ['crawl']],
    names: { max: 'URLs at most', ai: 'AI crawlers', crawl: 'Look at the site' },
    hidden: ['format', 'file'],
    example: { domain: 'example.com' },
    isLive: true,
    tellsProgress: true,
  },
  stats: {
    label: 'Stats',
    rows: [['metric'], ['label'], ['color', 'style'], ['scale', 'format']],
    names: { color: 'Colour' },
    example: { format: 'svg', metric: 'requests_today', scale: '2' },
  },
}
