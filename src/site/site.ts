import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { clientPackage } from '../client/client-package.ts'
import { takesPayments } from '../config.ts'
import type { DrawingService } from '../http/drawing-service.ts'
import type { PublicDocument, PublicDocuments } from '../http/public-documents.ts'
import { contextOf } from '../http/request-context.ts'
import { littleEndian, textBody } from '../lib/body.ts'
import { projectFile } from '../lib/package-files.ts'
import { fill } from '../lib/texts.ts'
import { version } from '../lib/version.ts'
import mark from './assets/mark.svg' with { type: 'text' }
import { siteAssets } from './assets.ts'
import fileRows from './data/machine-files.json' with { type: 'json' }
import pageHeads from './data/pages.json' with { type: 'json' }
import { fontAssets } from './fonts/fonts.tsx'
import { callerGuides, dividedGuides, type Guide, guidePath, guides, markdownPath } from './guides/guides.ts'
import type { MachineDocuments } from './machine-documents.ts'
import { operation } from './openapi/operation.ts'
import { type Page, page } from './page.ts'
import type { SiteDeps, SitePages } from './site-pages.ts'

interface RouteDeps {
  readonly documents: PublicDocuments
  readonly loadDrawings: () => Promise<DrawingService>
}

/** The files of programs. A browser or npm asks each time whether one of the client's has changed. */
const files: typeof fileRows = JSON.parse(fill(JSON.stringify(fileRows), { version }))

type Write = PublicDocument['write']

const clientFiles: Readonly<Record<string, Write>> = {
  client: () => read('client.js'),
  clientTypes: () => read('client.d.ts'),
  clientPackage,
}

/**
 * The public pages, their assets, and the files that programs read about the service. What they are made of is loaded with
 * the first request for one: it is a tenth of the program.
 */
export function site({ documents, loadDrawings, ...deps }: SiteDeps & RouteDeps) {
  const router = new Elysia({ name: 'site' }).use(siteAssets.routes()).use(fontAssets.routes())
  let pages: Promise<SitePages> | undefined

  function load(): Promise<SitePages> {
    pages ??= Promise.all([import('./site-pages.ts'), loadDrawings()]).then(
      ([{ createSitePages }, drawings]) => createSitePages(deps, drawings),
    )
    return pages
  }

  function addPage(path: string, id: string, summary: string, read: () => Promise<Page>, isListed: boolean) {
    const [handler, options] = page(documents, id, summary, read)
    router.get(path, handler, isListed ? options : {})
  }

  function addOwnPage(name: keyof typeof pageHeads): void {
    const { path, summary } = pageHeads[name]
    router.get(path, ...page(documents, name, summary, async (context) => (await load())[name](context)))
  }

  /** Adds a document that is the same for everybody. `options` of its route list it in the documents about the service. */
  function addFile(path: string, headers: PublicDocument['headers'], write: Write, options = {}): void {
    async function writeBody(origin: string) {
      const body = await write(origin)
      return typeof body === 'string' ? textBody(body) : body
    }
    const document = { key: path, headers, write: writeBody }
    router.get(path, ({ request }) => documents.answer(contextOf(request), document), options)
  }

  function addGuide(guide: Guide, isListed: boolean): void {
    const path = guidePath(guide)
    addPage(path, operationId(guide.slug), guide.summary, async () => (await load()).guide(guide), isListed)
    const headers = {
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    }
    addFile(markdownPath(guide), headers, async (origin) => (await load()).guideMarkdown(guide, origin))
  }

  for (const [path, contentType, write] of icons)
    addFile(path, { 'content-type': contentType, 'cache-control': 'public, max-age=86400' }, write)
  router
    .get('/playground/:id', async ({ request, params }) =>
      (await load()).playground(params.id, contextOf(request)),
    )
    .get('/pictures/:file', async ({ request, params }) =>
      (await load()).picture(params.file, contextOf(request)),
    )
  for (const [name, { path, summary, ...headers }] of Object.entries(files)) {
    const mediaType = headers['content-type'].replace(/;.*/, '')
    const schema = mediaType === 'application/json' && ({ schema: 'Discovery' } as const)
    const write =
      clientFiles[name] ?? (async (origin) => (await load())[name as keyof MachineDocuments](origin))
    addFile(path, headers, write, operation('machines', name, summary, { mediaType, ...schema }))
  }
  for (const name of ['home', 'examples', 'docs', 'errors', 'guides'] as const) addOwnPage(name)
  const listed = callerGuides(takesPayments(deps.config))
  for (const guide of guides) addGuide(guide, listed.includes(guide))
  for (const slug of Object.keys(dividedGuides))
    addPage(`/docs/${slug}`, operationId(slug), '', async () => (await load()).dividedGuide(slug), false)
  for (const name of ['status', 'bot'] as const) addOwnPage(name)
  return router
}

function operationId(slug: string): string {
  return `guide-${slug}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(projectFile(`client/${name}`)))
}

const faviconSides = [16, 32, 48] as const

const touchIconSide = 180

/** In units of the mark's view box. */
const markSide = 24

/** A home screen crops icons to its own shape, so that this one has its colour to the edge. */
const touchMark = mark.replace(
  /<rect [^>]*(fill="[^"]*")\/>/,
  `<rect width="${markSide}" height="${markSide}" $1/>`,
)

/** The icons that browsers and phones ask for at fixed URLs, drawn from the mark. */
const icons: readonly (readonly [path: string, contentType: string, write: Write])[] = [
  ['/icon.svg', 'image/svg+xml', () => mark],
  ['/favicon.ico', 'image/x-icon', favicon],
  ['/apple-touch-icon.png', 'image/png', () => drawIcon(touchMark, touchIconSide)],
]

async function drawIcon(svg: string, side: number) {
  const { svgToPng } = await import('../raster/draw-svg.ts')
  const sized = svg.replace('<svg ', `<svg width="${markSide}" height="${markSide}" `)
  return svgToPng(sized, side / markSide)
}

/** An ICO file of PNGs: a header of 6 bytes, 16 bytes about each picture, then the pictures. */
async function favicon(): Promise<Uint8Array<ArrayBuffer>> {
  const pictures = await Promise.all(faviconSides.map((side) => drawIcon(mark, side)))
  const head = littleEndian(0, 2, 1, 2, pictures.length, 2)
  let offset = head.length + 16 * pictures.length
  const entries = pictures.map(({ length }, index) => {
    const side = faviconSides[index] ?? 0
    const entry = littleEndian(side, 1, side, 1, 0, 2, 1, 2, 32, 2, length, 4, offset, 4)
    offset += length
    return entry
  })
  return new Uint8Array(Buffer.concat([head, ...entries, ...pictures]))
}
