import { createTwoGenerationCache } from '../lib/byte-cache.ts'
import patterns from './crawlers.json' with { type: 'json' }

/** The sender by its User-Agent. Any client can send any User-Agent. */
export interface Crawler {
  readonly network: Network | null
  /** It fetches pages and pictures for link previews, or passes pictures on for people who look at them. */
  readonly isPreviewCrawler: boolean
}

export type Network = keyof typeof patterns

/** No crawler says its name later than this, and hostile texts are longer. */
const readCharsMax = 512

/** Robots that index or train, and programs that answer one person's question: none of them shows a card. */
const indexers: ReadonlySet<string> = new Set(['ai', 'search'])

const nobody: Crawler = { network: null, isPreviewCrawler: false }

/**
 * The first pattern that fits counts, so crawlers that also claim another network's name come first. Apps show pages to
 * people under similar names (`Instagram 300`, `Snapchat/12`, `Slack/4 … Electron/30`), so a pattern names the crawler.
 * Signal's apps fetch previews under the name of WhatsApp; `other` makes previews for others.
 */
const rows = Object.entries(patterns).map(([name, pattern]) => {
  const crawler = { network: name as Network, isPreviewCrawler: !indexers.has(name) }
  return { crawler, pattern: new RegExp(pattern, 'i') }
})

export const previewNetworks: readonly Network[] = rows.flatMap(({ crawler }) =>
  crawler.isPreviewCrawler ? [crawler.network] : [],
)

export function readCrawler(userAgent: string): Crawler {
  const text = userAgent.slice(0, readCharsMax)
  return rows.find(({ pattern }) => pattern.test(text))?.crawler ?? nobody
}

/** Enough for a thousand User-Agents of usual length. */
const cacheBytesMax = 512 * 2 ** 10

const cached = createTwoGenerationCache<Crawler>(cacheBytesMax, (_, userAgent) => 100 + 2 * userAgent.length)

/** Returns who sends a User-Agent, which is read once as long as it comes again. */
export function crawlerOf(userAgent: string): Crawler {
  const known = cached.get(userAgent)
  if (known !== undefined) return known
  const crawler = readCrawler(userAgent)
  // A longer text is nobody's: reading it again costs less than its memory.
  if (userAgent.length <= readCharsMax) cached.set(userAgent, crawler)
  return crawler
}

/** Browsers by a word of their User-Agents. The first that fits counts: most claim to be others too. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const productName = /^[A-Za-z][\w.-]{0,23}(?=\/|$)/
const families = createTwoGenerationCache<string>(
  64 * 2 ** 10,
  (family, text) => 100 + 2 * (family.length + text.length),
)

/** The kind of program that sends a User-Agent: a network of `crawlers.json`, a browser, or a program's name, never more. */
export function agentFamily(userAgent: string | null): string {
  if (userAgent === null) return ''
  const known = families.get(userAgent)
  if (known !== undefined) return known
  const family = readFamily(userAgent.slice(0, readCharsMax))
  if (userAgent.length <= readCharsMax) families.set(userAgent, family)
  return family
}

function readFamily(text: string): string {
  const { network } = readCrawler(text)
  if (network !== null) return network
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0]
  return browser ?? productName.exec(text)?.[0] ?? 'Other'
}
