import assert from 'node:assert/strict'
import type { Check } from '../../support/check.ts'
import { look, page, siteHost, siteOrigin } from './look.ts'

const map = `<urlset><url><loc>${siteOrigin}/a</loc></url></urlset>`
const rules = 'User-agent: *\nDisallow: /private\n'

function sitemapLines(robots: string) {
  return robots.split('\n').filter((line) => /^sitemap:/i.test(line))
}

interface Case {
  readonly what: string
  readonly line: string
  /** The path of the sitemap that exists. */
  readonly path: string
  readonly added: readonly string[]
  readonly warning: RegExp | undefined
}

const cases: readonly Case[] = [
  {
    what: 'at its own address',
    line: `Sitemap: ${siteOrigin}/sitemap.xml`,
    path: '/sitemap.xml',
    added: [],
    warning: undefined,
  },
  {
    what: 'at another address',
    line: `sitemap:   ${siteOrigin}/sitemap_index.xml`,
    path: '/sitemap_index.xml',
    added: [],
    warning:
      /^install_together: robots\.txt names https:\/\/site\.example\.com\/sitemap_index\.xml already, .* install sitemap\.xml at that address, or together with a robots\.txt /,
  },
  {
    what: 'under the other scheme',
    line: `Sitemap: http://${siteHost}/sitemap.xml`,
    path: '/sitemap.xml',
    added: [],
    warning: undefined,
  },
  {
    what: 'by its path alone',
    line: 'Sitemap: /maps/all.xml',
    path: '/maps/all.xml',
    added: [`Sitemap: ${siteOrigin}/maps/all.xml`],
    warning: /^install_together: robots\.txt names https:\/\/site\.example\.com\/maps\/all\.xml already/,
  },
  {
    what: 'that is gone',
    line: `Sitemap: ${siteOrigin}/old.xml`,
    path: '/sitemap-new.xml',
    added: [`Sitemap: ${siteOrigin}/sitemap.xml`],
    warning:
      /^install_together: robots\.txt now names https:\/\/site\.example\.com\/sitemap\.xml, so install robots\.txt and sitemap\.xml together$/,
  },
]

export const checks: readonly Check[] = cases.map(({ what, line, path, added, warning }) => ({
  name: `a robots.txt that names a sitemap ${what} is completed and gets no second one`,
  async run() {
    const existing = `${rules}${line}\n`
    const site = { '/robots.txt': existing, [path]: map, '/': page('Home'), '/a': page('A') }
    const { bundle } = await look({ [siteHost]: site })
    assert.ok(bundle.robots.startsWith(existing))
    assert.deepEqual(sitemapLines(bundle.robots), [line, ...added])
    const said = bundle.warnings.filter((text) => text.startsWith('install_together'))
    if (warning === undefined) assert.deepEqual(said, [])
    else assert.match(said.join('\n'), warning)
    const denied = await look({ [siteHost]: site }, { ai: 'deny' })
    assert.match(denied.bundle.robots, /User-agent: GPTBot\n/)
    assert.deepEqual(sitemapLines(denied.bundle.robots), [line, ...added])
  },
}))
