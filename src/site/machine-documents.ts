import type { Asset } from '../assets/kit/asset.ts'
import { writeRobots } from '../assets/sitemap/robots.ts'
import { writeSitemap } from '../assets/sitemap/write-sitemap.ts'
import { basePathOf } from '../http/base-path.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'
import { openapi } from './openapi/openapi.ts'
import { operationsIn, type RouteOperation } from './openapi/operation.ts'

interface Deps {
  readonly assets: readonly Asset[]
  readonly operations: () => readonly RouteOperation[]
  /** True if documents tell how to pay. */
  readonly isPaid: boolean
}

export type MachineDocuments = ReturnType<typeof createMachineDocuments>

/** The files that programs read about the service, as text, by the origin that they name. */
export function createMachineDocuments({ assets, operations, isPaid }: Deps) {
  return {
    openapi: (origin: string) =>
      JSON.stringify(openapi({ assets, operations: operations(), isPaid }, origin)),
    llms: (origin: string) => llmsTxt({ assets, operations: operations(), isPaid }, origin),
    llmsFull: (origin: string) => llmsFullTxt({ assets, operations: operations(), isPaid }, origin),
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
