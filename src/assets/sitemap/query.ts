import { type Static, Type } from '@sinclair/typebox'
import { choice, formatted, integer, text, toggle } from '../../lib/fields.ts'
import { type DomainError, normalizeDomain } from './normalize-domain.ts'

export const sitemapQuery = Type.Object({
  domain: text(1, 2048, {
    description: 'The host name of the site; a URL works too',
    example: 'example.com',
  }),
  max: integer(1, 5000, { default: 1000, description: 'The maximum number of URLs in the sitemap' }),
  ai: choice(['allow', 'deny', 'train-deny'], {
    default: 'allow',
    description:
      'The rule for crawlers of AI companies in robots.txt: none, to stay away, or not to train on the pages',
  }),
  signals: Type.Optional(
    formatted('content-signals', {
      description:
        'Content Signals to write into robots.txt: what may be done with the pages once they were read; those that the site has stay',
      example: 'search:yes,ai-train:no',
    }),
  ),
  crawl: toggle({ default: true, description: '0 returns the template without asking the site' }),
  format: choice(['json', 'zip'], { default: 'json', description: 'All three files as JSON or in a zip' }),
  file: Type.Optional(
    choice(['robots.txt', 'sitemap.xml', 'llms.txt'], { description: 'Returns only this file' }),
  ),
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
