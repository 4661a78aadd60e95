import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPageParser } from '../../src/assets/preview/page-parser.ts'
import cases from './preview-peers.json' with { type: 'json' }
import type { QualityFields, QualityPage } from './preview-quality-pages.ts'

export interface Peer {
  readonly name: string
  readonly read: (page: QualityPage) => Promise<QualityFields>
}

export const ours: Peer = {
  name: 'Mintmark',
  async read({ url, bytes }) {
    const parser = createPageParser({ url, headers: {}, contentType: 'text/html' })
    await parser.write(bytes)
    const { fields: found } = await parser.finish()
    return {
      author: found.authors.join('+') || undefined,
      date: found.published ?? undefined,
      description: found.description ?? undefined,
      image: found.image?.url,
      logo: found.logo ?? found.icon?.url,
      site: found.site_name ?? undefined,
      title: found.title ?? undefined,
    }
  },
}

/**
 * Packages of the comparison that are too heavy for everybody who installs Mintmark: about 490 MB with what they
 * depend on. They are installed into a temporary folder when the comparison runs.
 */
const packages = cases.packages

/** Two dependencies of @postlight/parser are on GitHub; these are the same on the registry. */
const overrides = { 'browser-request': '0.3.3', difflib: '0.2.4' }

/** Installs the packages unless they are there. Returns their folder, or undefined without a registry. */
export function installPeers(): string | undefined {
  const folder = join(tmpdir(), 'mintmark-preview-quality')
  if (existsSync(join(folder, 'installed'))) return folder
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: packages, overrides }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status } = spawnSync('npm', options, { cwd: folder, stdio: 'inherit', timeout: 600_000 })
  if (status !== 0) return undefined
  writeFileSync(join(folder, 'installed'), '')
  return folder
}

export function loadPeers(folder: string): readonly Peer[] {
  const load = createRequire(join(folder, 'package.json'))
  return [
    { name: 'metascraper', read: metascraperReader(load) },
    { name: 'open-graph-scraper', read: ogsReader(load) },
    { name: 'unfurl.js', read: unfurlReader(load) },
    { name: '@postlight/parser', read: postlightReader(load) },
    { name: 'link-preview-js', read: linkPreviewReader(load) },
  ]
}

type Read = Peer['read']

function metascraperReader(load: NodeJS.Require): Read {
  const rules = ['author', 'date', 'description', 'image', 'logo', 'publisher', 'title']
  const scrape = load('metascraper')(rules.map((rule) => load(`metascraper-${rule}`)()))
  return async ({ url, html }) => {
    const { publisher, ...found } = await scrape({ url, html })
    return { ...found, site: publisher }
  }
}

function ogsReader(load: NodeJS.Require): Read {
  const scrape = load('open-graph-scraper')
  return async ({ url, html }) => {
    const { result } = await scrape({ html })
    const author = result.author ?? result.articleAuthor
    const date = result.articlePublishedTime ?? result.articlePublishedDate ?? result.articleDate
    return {
      author,
      date,
      description: result.ogDescription,
      image: absolute(result.ogImage?.[0]?.url, url),
      logo: absolute(result.ogLogo ?? result.favicon, url),
      site: result.ogSiteName,
      title: result.ogTitle ?? result.twitterTitle,
    }
  }
}

function unfurlReader(load: NodeJS.Require): Read {
  const { unfurl } = load('unfurl.js')
  return async ({ url, bytes }) => {
    const headers = { 'content-type': 'text/html' }
    const body = bytes as Uint8Array<ArrayBuffer>
    const result = await unfurl(url, { oembed: false, fetch: async () => new Response(body, { headers }) })
    const { open_graph: og = {}, twitter_card: twitter = {} } = result
    return {
      author: result.author ?? og.article?.authors?.[0],
      date: og.article?.published_time,
      description: og.description ?? twitter.description ?? result.description,
      image: absolute(og.images?.[0]?.url ?? twitter.images?.[0]?.url, url),
      logo: absolute(result.favicon, url),
      site: og.site_name,
      title: og.title ?? twitter.title ?? result.title,
    }
  }
}

function postlightReader(load: NodeJS.Require): Read {
  const parser = load('@postlight/parser')
  return async ({ url, html }) => {
    const result = await parser.parse(url, { html, fetchAllPages: false })
    const { title, author, date_published: date, excerpt: description, lead_image_url: image } = result
    return { title, author, date, description, image, logo: undefined, site: undefined }
  }
}

function linkPreviewReader(load: NodeJS.Require): Read {
  const { getPreviewFromContent } = load('link-preview-js')
  return async ({ url, html }) => {
    const headers = { 'content-type': 'text/html' }
    const result = await getPreviewFromContent({ url, data: html, headers })
    const { title, author, description, images, favicons, siteName: site } = result
    return { title, author, date: undefined, description, image: images?.[0], logo: favicons?.[0], site }
  }
}

function absolute(href: unknown, base: string): string | undefined {
  return typeof href === 'string' && URL.canParse(href, base) ? new URL(href, base).href : undefined
}
