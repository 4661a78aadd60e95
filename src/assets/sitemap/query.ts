import { type Static, Type } from '@sinclair/typebox'
import { choice, formatted, integer, text, toggle } from '../../lib/fields.ts'
import { type DomainError, normalizeDomain } from './normalize-domain.ts'
import texts from './parameter-texts.json' with { type: 'json' }

export const sitemapQuery = Type.Object({
  domain: text(1, 2048, texts.domain),
  max: integer(1, 5000, { default: 1000, ...texts.max }),
  ai: choice(['allow', 'deny', 'train-deny'], { default: 'allow', ...texts.ai }),
  signals: Type.Optional(formatted('content-signals', texts.signals)),
  crawl: toggle({ default: true, ...texts.crawl }),
  format: choice(['json', 'zip'], { default: 'json', ...texts.format }),
  file: Type.Optional(choice(['robots.txt', 'sitemap.xml', 'llms.txt'], texts.file)),
})

export type SitemapQuery = Static<typeof sitemapQuery>

export function domainRule({ domain }: Readonly<Record<string, unknown>>) {
  const result = normalizeDomain(String(domain))
  return 'error' in result ? { parameter: 'domain', message: domainErrors[result.error] } : undefined
}

const domainErrors: Readonly<Record<DomainError, string>> = {
  invalid_domain: 'must be a host name such as example.com, without a port, path or user name',
  ip_not_a_domain: 'must be a host name, not an address',
  unknown_tld: 'must end in a top-level domain that exists',
  reserved_domain: 'must be a public name; this one is reserved',
}
