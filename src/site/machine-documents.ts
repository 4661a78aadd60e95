import type { Asset } from '../assets/kit/asset.ts'
import { themeJsonSchema } from '../assets/og/engine/theme-file.ts'
import { writeRobots } from '../assets/sitemap/robots.ts'
import { writeSitemap } from '../assets/sitemap/write-sitemap.ts'
import { basePathOf } from '../http/base-path.ts'
import { formatMicros } from '../lib/human-format.ts'
import { fill } from '../lib/texts.ts'
import { version } from '../lib/version.ts'
import links from './data/links.json' with { type: 'json' }
import { guideMarkdown, searchIndex } from './guides/guide-pages.tsx'
import { callerGuides, markdownPath } from './guides/guides.ts'
import { addressForm, type Documented, openapi } from './openapi/openapi.ts'
import { operationsIn, type RouteOperation } from './openapi/operation.ts'
import { exampleUrl } from './reference/asset-section.tsx'
import { possibleErrors } from './reference/errors-page.tsx'
import { parametersOf } from './reference/parameters.ts'

type Deps = Omit<Documented, 'operations'> & { readonly operations: () => readonly RouteOperation[] }

export type MachineDocuments = ReturnType<typeof createMachineDocuments>

export function createMachineDocuments({ assets, operations, isPaid }: Deps) {
  function documented(): Documented {
    return { assets, operations: operations(), isPaid }
  }
  return {
    openapi: (origin: string) => JSON.stringify(openapi(documented(), origin)),
    themeSchema: () => JSON.stringify(themeJsonSchema()),
    llms: (origin: string) => llmsTxt(documented(), origin),
    llmsFull: (origin: string) => llmsFullTxt(documented(), origin),
    docsSearch: (origin: string) => searchIndex(assets, isPaid, origin),
    robots: robotsTxt,
    siteMap: (origin: string) =>
      writeSitemap(operationsIn('pages', operations()).map(({ path }) => ({ loc: `${origin}${path}` }))),
  }
}

function robotsTxt(origin: string): Promise<string> {
  const closed = ['/admin', '/playground/', '/api/key', '/*?kind=']
    .map((path) => `Disallow: ${basePathOf(origin)}${path}\n`)
    .join('')
  const existing = `User-agent: *\n${closed}`
  return writeRobots({ sitemapUrl: `${origin}/sitemap.xml`, ai: 'allow', existing })
}

type Link = readonly [title: string, url: string, note: string]

/** Pages without a title are told as documentation or guides. */
const titles: Readonly<Record<string, string>> = links.llms.titles

/** `/llms.txt`, as llmstxt.org has it: what this service makes, and where the rest is told. */
function llmsTxt(input: Documented, origin: string): string {
  const documents = links.llms.documents.map((row) => row.map((text) => fill(text, { origin })))
  const guides = callerGuides(input.isPaid)
  const sections: readonly (readonly [title: string, links: readonly (readonly string[])[]])[] = [
    ['Assets', assetLinks(input, origin)],
    ['Keys', keyLinks(input, origin)],
    ['Documentation', documents],
    ['Guides', guides.map((guide) => [guide.label, origin + markdownPath(guide), guide.summary])],
    ['Optional', pageLinks(input, origin)],
  ]
  const texts = sections.map(([title, links]) => `## ${title}\n\n${links.map(lineOf).join('\n')}\n`)
  return [...head(input), ...texts].join('\n')
}

/** `/llms-full.txt`: everything that callers may read, as one Markdown text. */
async function llmsFullTxt(input: Documented, origin: string): Promise<string> {
  const { assets, isPaid } = input
  const errors = possibleErrors(isPaid).map(
    ([code, { status, title, remedy }]) => `- \`${code}\` (${status}): ${title}. ${remedy}`,
  )
  const guides = await Promise.all(callerGuides(isPaid).map((guide) => guideMarkdown(guide, origin)))
  return [
    ...head(input),
    ...assets.map((asset) => assetText(asset, isPaid, origin)),
    `## Keys\n\n${keyLinks(input, origin).map(lineOf).join('\n')}\n`,
    `## Errors\n\n${errors.join('\n')}\n`,
    ...guides,
  ].join('\n')
}

function assetText(asset: Asset, isPaid: boolean, origin: string): string {
  const { title, path, summary, query, mediaTypes, priceMicros } = asset
  const price = isPaid && priceMicros !== undefined ? ` It costs ${formatMicros(priceMicros)} USDC.` : ''
  const parameters = parametersOf(query).map(
    ({ name, description, allowed, required, fallback, whenMissing }) => {
      const missing = fallback ?? whenMissing
      const use = required ? 'required' : missing === undefined ? 'optional' : `default: ${missing}`
      return `- \`${name}\` (${allowed}; ${use}): ${description}`
    },
  )
  return [
    `## ${title}\n`,
    `${summary}.${price} \`GET ${path}\` answers ${mediaTypes.join(', ')}.\n`,
    `Example: <${exampleUrl(asset, origin)}>\n`,
    `${parameters.join('\n')}\n`,
  ].join('\n')
}

function head({ isPaid }: Documented): readonly string[] {
  const payment = isPaid ? ', with a signed key, or paid per call by x402' : ', or with a signed key'
  return links.llms.head.map((line) => fill(line, { version, payment }))
}

function lineOf([title, url, note]: readonly string[]): string {
  return `- [${title}](${url}): ${note}`
}

function assetLinks({ assets, isPaid }: Documented, origin: string): readonly Link[] {
  return [
    ...assets.map((asset): Link => {
      const { title, path, summary, query, priceMicros } = asset
      const price = isPaid && priceMicros !== undefined ? ` ${formatMicros(priceMicros)} USDC.` : ''
      const parameters = Object.keys(query.properties).join(', ')
      return [title, exampleUrl(asset, origin), `GET ${path}. ${summary}.${price} Parameters: ${parameters}`]
    }),
    [
      'Pictures by signed URL',
      `${origin}/docs#embedding`,
      `Pictures for public pages: GET \`${addressForm}\`. The payload is the parameters in form encoding as base64url, sig the first 32 hex digits of HMAC-SHA256 with a key’s secret over \`GET /i/<asset>/<key>/<payload>.<ext>\``,
    ],
  ]
}

/** Keys, and where there is a wallet how to pay. Paths whose plain GET is an error are told below the reference. */
function keyLinks({ operations, isPaid }: Documented, origin: string): readonly Link[] {
  const sections = isPaid ? (['keys', 'payments'] as const) : (['keys'] as const)
  return sections
    .flatMap((section) => operationsIn(section, operations))
    .map(({ operationId, method, path, summary, query }) => {
      const isUsage = path === '/api/usage'
      const url =
        method === 'GET' && !isUsage ? origin + path : `${origin}/docs#${isUsage ? 'keys' : 'payments'}`
      const names = Object.keys(query?.properties ?? {}).join(', ')
      const parameters = names === '' ? '' : ` Parameters: ${names}`
      return [titles[operationId] ?? operationId, url, `${method} ${path}. ${summary}${parameters}`]
    })
}

function pageLinks({ operations }: Documented, origin: string): readonly Link[] {
  return operationsIn('pages', operations).flatMap(({ operationId, path, summary }): readonly Link[] => {
    const title = titles[operationId]
    return title === undefined ? [] : [[title, origin + path, summary]]
  })
}
