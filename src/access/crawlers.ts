import { textMemo } from '../lib/memo.ts'
import browserPatterns from './browsers.json' with { type: 'json' }
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

/** Returns who sends a User-Agent. */
export const crawlerOf = textMemo(readCrawler, readCharsMax)

/** Browsers by a word of their User-Agents. The first that fits counts: most claim to be others too. */
const browsers = Object.entries(browserPatterns).map(([name, text]) => ({ name, pattern: new RegExp(text) }))

const productName = /^[A-Za-z][\w.-]{0,23}(?=\/|$)/
const familyOf = textMemo(readFamily, readCharsMax)

/** The kind of program that sends a User-Agent: a network of `crawlers.json`, a browser, or a program's name, never more. */
export function agentFamily(userAgent: string | null): string {
  return userAgent === null ? '' : familyOf(userAgent)
}

function readFamily(userAgent: string): string {
  const text = userAgent.slice(0, readCharsMax)
  const { network } = readCrawler(text)
  if (network !== null) return network
  const browser = browsers.find(({ pattern }) => pattern.test(text))?.name
  return browser ?? productName.exec(text)?.[0] ?? 'Other'
}
