import { getDomain } from 'tldts'
import { memo } from '../../lib/memo.ts'
import type { CardTexts } from './theme.ts'

/**
 * The text from which the colour of a site's cards is chosen: the registrable domain, so that subdomains and pages look
 * alike, else the author, else the title.
 */
export function colorSource({
  domain,
  author,
  title,
}: Pick<CardTexts, 'domain' | 'author' | 'title'>): string {
  return domain === undefined ? (author ?? title) : siteOfDomain(domain)
}

const siteOfDomain = memo((domain: string) => getDomain(domain, { allowPrivateDomains: true }) ?? domain)
