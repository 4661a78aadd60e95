import { type Static, Type } from '@sinclair/typebox'
import { choice, integer, text, toggle } from '../../lib/fields.ts'
import { type DomainError, normalizeDomain } from './normalize-domain.ts'

/** The parameters of a site bundle. */
export const sitemapQuery = Type.Object({
  domain: text(1, 2048, {
    description: 'The host name of the site; a pasted URL will do',
    example: 'example.com',
  }),
  max: integer(1, 5000, { default: 1000, description: 'The most URLs in the sitemap' }),
  ai: choice(['allow', 'deny', 'train-deny'], {
    default: 'allow',
    description:
      'What robots.txt tells crawlers of AI companies: nothing, to stay away, or not to train on the pages',
  }),
  crawl: toggle({ default: true, description: '0 gives the template without asking the site' }),
  format: choice(['json', 'zip'], { default: 'json', description: 'All three files as JSON or in a zip' }),
  file: Type.Optional(
    choice(['robots.txt', 'sitemap.xml', 'llms.txt'], { description: 'This one file alone, as it is' }),
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
