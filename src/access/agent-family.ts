import { createTwoGenerationCache } from '../lib/two-generation-cache.ts'
import { readCrawler } from './crawlers.ts'

/** Browsers by a word of their User-Agents. The first that fits counts: most claim to be others too. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

/** A program's own name before its version, such as `curl/8.9`. */
const productName = /^[A-Za-z][\w.-]{0,23}(?=\/|$)/
const readCharsMax = 512
const cached = createTwoGenerationCache<string>(
  64 * 2 ** 10,
  (family, text) => 100 + 2 * (family.length + text.length),
)

/** The kind of program that sends a User-Agent: a network of `crawlers.ts`, a browser, or a program's name, never more. */
export function agentFamily(userAgent: string | null): string {
  if (userAgent === null) return ''
  const known = cached.get(userAgent)
  if (known !== undefined) return known
  const family = readFamily(userAgent.slice(0, readCharsMax))
  if (userAgent.length <= readCharsMax) cached.set(userAgent, family)
  return family
}

function readFamily(text: string): string {
  const { network } = readCrawler(text)
  if (network !== null) return network
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0]
  return browser ?? productName.exec(text)?.[0] ?? 'Other'
}
