import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { clientPackage } from '../client/client-package.ts'
import { takesPayments } from '../config.ts'
import type { DrawingService } from '../http/drawing-service.ts'
import type { PublicDocument, PublicDocuments } from '../http/public-documents.ts'
import { contextOf } from '../http/request-context.ts'
import { type Body, textBody } from '../lib/body.ts'
import { projectFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import mark from './assets/mark.svg' with { type: 'text' }
import { siteAssets } from './assets.ts'
import files from './data/machine-files.json' with { type: 'json' }
import pageHeads from './data/pages.json' with { type: 'json' }
import { fontAssets } from './fonts/fonts.tsx'
import { callerGuides, dividedGuides, type Guide, guidePath, guides, markdownPath } from './guides/guides.ts'
import type { MachineDocuments } from './machine-documents.ts'
import { operation } from './openapi/operation.ts'
import { page } from './page.ts'
import type { SiteDeps, SitePages } from './site-pages.ts'

interface RouteDeps {
  readonly documents: PublicDocuments
  readonly loadDrawings: () => Promise<DrawingService>
}

/**
 * The public pages, their assets, and the files that programs read about the service. What they are made of is loaded with
 * the first request for one: it is a tenth of the program.
 */
export function site({ documents, loadDrawings, ...deps }: SiteDeps & RouteDeps) {
  let pages: Promise<SitePages> | undefined

  function load(): Promise<SitePages> {
    pages ??= Promise.all([import('./site-pages.ts'), loadDrawings()]).then(
      ([{ createSitePages }, drawings]) => createSitePages(deps, drawings),
    )
    return pages
  }

  function pageRoute(name: 'home' | 'examples' | 'docs' | 'errors' | 'status') {
    return page(documents, name, pageHeads[name].summary, async (context) => (await load())[name](context))
  }

  return new Elysia({ name: 'site' })
    .use(siteAssets.routes())
    .use(fontAssets.routes())
    .use(icons(documents))
    .get('/playground/:id', async ({ request, params }) =>
      (await load()).playground(params.id, contextOf(request)),
    )
    .get('/pictures/:file', async ({ request, params }) =>
      (await load()).picture(params.file, contextOf(request)),
    )
    .use(machineFiles(load, documents))
    .use(clientFiles(documents))
    .get('/', ...pageRoute('home'))
    .get('/examples', ...pageRoute('examples'))
    .get('/docs', ...pageRoute('docs'))
    .get('/docs/errors', ...pageRoute('errors'))
    .use(guideRoutes(load, documents, takesPayments(deps.config)))
    .get('/status', ...pageRoute('status'))
}

/** `/docs/guides`, each guide below `/docs` as a page and as Markdown, and what their search looks through. */
function guideRoutes(load: () => Promise<SitePages>, documents: PublicDocuments, isPaid: boolean) {
  const router = new Elysia({ name: 'guides' })
    .get(
      '/docs/search.json',
      answering(documents, {
        key: 'search',
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
        write: async (origin) => textBody(await (await load()).search(origin)),
      }),
      operation('machines', 'docsSearch', 'The sections of the documentation, for its search.', {
        schema: 'Discovery',
      }),
    )
    .get('/docs/guides', ...page(documents, 'guides', 'All guides.', async () => (await load()).guideList()))
  function add(guide: Guide, isListed: boolean) {
    const [handler, options] = page(documents, operationId(guide), guide.summary, async () =>
      (await load()).guide(guide),
    )
    router.get(guidePath(guide), handler, isListed ? options : {})
    const document = {
      key: `markdown ${guide.slug}`,
      headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=3600' },
      write: async (origin: string) => textBody(await (await load()).guideMarkdown(guide, origin)),
    }
    router.get(markdownPath(guide), answering(documents, document))
  }
  const listed = callerGuides(isPaid)
  for (const guide of guides) add(guide, listed.includes(guide))
  for (const slug of Object.keys(dividedGuides)) {
    const [handler] = page(documents, operationId({ slug }), '', async () =>
      (await load()).dividedGuide(slug),
    )
    router.get(`/docs/${slug}`, handler)
  }
  return router
}

function answering(documents: PublicDocuments, document: PublicDocument) {
  return ({ request }: { readonly request: Request }) => documents.answer(contextOf(request), document)
}

function operationId({ slug }: Pick<Guide, 'slug'>): string {
  return `guide-${slug}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
function machineFiles(load: () => Promise<MachineDocuments>, documents: PublicDocuments) {
  const router = new Elysia({ name: 'machine-files' })
  for (const [name, { path, mediaType, summary }] of Object.entries(files)) {
    const document = {
      key: name,
      headers: { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
      write: async (origin: string) => textBody(await (await load())[name as keyof typeof files](origin)),
    }
    const schema = mediaType === 'application/json' && ({ schema: 'Discovery' } as const)
    router.get(
      path,
      answering(documents, document),
      operation('machines', name, summary, { mediaType, ...schema }),
    )
  }
  return router
}

/** `/client.js`, its types, and the package that npm installs, all at the version of this server. */
function clientFiles(documents: PublicDocuments) {
  const script = { 'content-type': 'text/javascript; charset=utf-8', 'x-typescript-types': './client.d.ts' }
  const types = { 'content-type': 'application/typescript; charset=utf-8' }
  const archive = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="mintmark-${version}.tgz"`,
  }
  /** Returns the handler of a file and the options of its route. A browser or npm asks each time whether it has changed. */
  function file(
    operationId: string,
    summary: string,
    write: PublicDocument['write'],
    headers: PublicDocument['headers'],
  ) {
    const complete = { ...headers, 'cache-control': 'public, no-cache' }
    const handler = answering(documents, { key: operationId, headers: complete, write })
    const [mediaType = ''] = headers['content-type'].split(';')
    return [handler, operation('machines', operationId, summary, { mediaType })] as const
  }

  return new Elysia({ name: 'client-files' })
    .get('/client.js', ...file('client', 'The client as an ES module.', () => read('client.js'), script))
    .get('/client.d.ts', ...file('clientTypes', 'The types of the client.', () => read('client.d.ts'), types))
    .get('/client.tgz', ...file('clientPackage', 'The client for npm install.', clientPackage, archive))
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

/** The icons that browsers and phones ask for at fixed addresses, drawn from the mark. */
function icons(documents: PublicDocuments) {
  const router = new Elysia({ name: 'icons' })
  function add(path: string, contentType: string, write: () => Body | Promise<Body>): void {
    const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=86400' }
    router.get(path, answering(documents, { key: path, headers, write }))
  }
  add('/icon.svg', 'image/svg+xml', () => textBody(mark))
  add('/favicon.ico', 'image/x-icon', favicon)
  add('/apple-touch-icon.png', 'image/png', () => drawIcon(touchMark, touchIconSide))
  return router
}

async function drawIcon(svg: string, side: number) {
  const { svgToPng } = await import('../raster/draw-svg.ts')
  const sized = svg.replace('<svg ', `<svg width="${markSide}" height="${markSide}" `)
  return svgToPng(sized, side / markSide)
}

/** An ICO file of PNGs: a header of 6 bytes, 16 bytes about each picture, then the pictures. */
async function favicon(): Promise<Uint8Array<ArrayBuffer>> {
  const pictures = await Promise.all(faviconSides.map((side) => drawIcon(mark, side)))
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index
    const side = faviconSides[index] ?? 0
    head.writeUInt8(side, entry)
    head.writeUInt8(side, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(picture.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += picture.length
  }
  return new Uint8Array(Buffer.concat([head, ...pictures]))
}
