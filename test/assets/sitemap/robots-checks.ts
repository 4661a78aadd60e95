import assert from 'node:assert/strict'
import type { Check } from '../../support/check.ts'
import { look, page, siteHost, siteOrigin } from './look.ts'
import tables from './robots-checks.json' with { type: 'json' }

const map = `<urlset><url><loc>${siteOrigin}/a</loc></url></urlset>`
const rules = 'User-agent: *\nDisallow: /private\n'

function sitemapLines(robots: string) {
  return robots.split('\n').filter((line) => /^sitemap:/i.test(line))
}

export const checks: readonly Check[] = tables.namedSitemaps.map(({ what, line, path, added, warning }) => ({
  name: `a robots.txt that names a sitemap ${what} is completed and gets no second one`,
  async run() {
    const existing = `${rules}${line}\n`
    const site = { '/robots.txt': existing, [path]: map, '/': page('Home'), '/a': page('A') }
    const { bundle } = await look({ [siteHost]: site })
    assert.ok(bundle.robots.startsWith(existing))
    assert.deepEqual(sitemapLines(bundle.robots), [line, ...added])
    const said = bundle.warnings.filter((text) => text.startsWith('install_together'))
    if (warning === null) assert.deepEqual(said, [])
    else assert.match(said.join('\n'), new RegExp(`^install_together: robots\\.txt ${warning}`))
    const denied = await look({ [siteHost]: site }, { ai: 'deny' })
    assert.match(denied.bundle.robots, /User-agent: GPTBot\n/)
    assert.deepEqual(sitemapLines(denied.bundle.robots), [line, ...added])
  },
}))
