import type { Asset } from '../assets/kit/asset.ts'
import { writeLlms } from '../assets/sitemap/write-llms.ts'
import { writeRobots } from '../assets/sitemap/write-robots.ts'
import { writeSitemap } from '../assets/sitemap/write-sitemap.ts'
import { basePathOf } from '../http/base-path.ts'
import { version } from '../lib/version.ts'
import { addressForm } from './openapi/address-path.ts'
import { openapi } from './openapi/openapi.ts'
import { operationsIn, type RouteOperation } from './openapi/operation.ts'
import { exampleUrl } from './reference/asset-section.tsx'

interface Deps {
  readonly assets: readonly Asset[]
  readonly operations: () => readonly RouteOperation[]
  /** Whether documents tell how to pay. */
  readonly isPaid: boolean
}

export type MachineDocuments = ReturnType<typeof createMachineDocuments>

/** The files that programs read about the service, as text, by the origin that they name. */
export function createMachineDocuments({ assets, operations, isPaid }: Deps) {
  return {
    openapi: (origin: string) =>
      JSON.stringify(openapi({ assets, operations: operations(), isPaid }, origin)),
    llms: (origin: string) => llmsTxt({ assets, operations, isPaid }, origin),
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

function llmsTxt({ assets, operations, isPaid }: Deps, origin: string): string {
  const calls = assets.map((asset) => ({
    url: exampleUrl(asset, origin),
    title: asset.id,
    description: `${asset.summary}. Parameters: ${Object.keys(asset.query.properties).join(', ')}`,
  }))
  const documents = operations()
    .filter(isForReaders)
    .map(({ operationId, path, summary }) => ({
      url: `${origin}${path}`,
      title: operationId,
      description: summary,
    }))
  return writeLlms({
    host: new URL(origin).host,
    name: `Mintmark ${version}`,
    summary: `Share cards, badges, avatars, link previews and site files from plain GET requests: free with demo=1${isPaid ? ', with a signed key, or paid per call by x402' : ', or with a signed key'}.`,
    pages: [...documents, ...calls, signedAddresses(origin)],
  })
}

function signedAddresses(origin: string) {
  return {
    url: `${origin}/docs#embedding`,
    title: 'signed addresses',
    description: `Pictures for public pages: GET ${addressForm}. The payload is the parameters in form encoding as base64url, sig the first 32 hex digits of HMAC-SHA256 with a key’s secret over "GET /i/<asset>/<key>/<payload>.<ext>"`,
  }
}

function isForReaders({ tags: [section], operationId }: RouteOperation): boolean {
  return section === 'pages' || section === 'payments' || operationId === 'openapi'
}
