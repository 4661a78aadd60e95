import { LRUCache } from 'lru-cache'
import { inTabOrder } from '../assets/asset.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { type Config, takesPayments } from '../config.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clock } from '../lib/clock.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { type BrandPicturesDeps, createBrandPictures } from './brand-pictures.ts'
import { examplesPage } from './examples.tsx'
import { homePage } from './home.tsx'
import { createMachineDocuments } from './machine-documents.ts'
import type { Operation } from './openapi/operation.ts'
import { pictureResponse } from './pictures.ts'
import { assetForm, playgroundState } from './playground/form.ts'
import { playgroundResult } from './playground/result.ts'
import { createSignedUrls } from './playground/signed-urls.ts'
import { createPreviewRenderer, type PreviewRendererDeps } from './preview-renderer.ts'
import { docsPage } from './reference/docs.tsx'
import { errorsPage } from './reference/errors-page.tsx'
import { exampleAnswers } from './reference/example-answers.ts'
import { statusPage } from './status-page.tsx'

export interface SiteDeps extends PreviewRendererDeps, BrandPicturesDeps {
  readonly config: Config
  /** Signs the playground's URLs. */
  readonly playgroundKey: string
  readonly readStats: () => Promise<Stats>
  readonly clock: Clock
  /** Whether there is a brand that everybody may use. */
  readonly hasPublicBrands: () => boolean
  /** What documents list beside the assets. */
  readonly operations: () => readonly Operation[]
}

/** Whoever asks names the origin where no setting does. */
const keptReferencesMax = 8

export type SitePages = ReturnType<typeof createSitePages>

/** What the public pages, their previews and pictures, and the files for programs are answered with. */
export function createSitePages(deps: SiteDeps) {
  const { config, operations } = deps
  const assets = deps.assets.map(({ asset }) => asset)
  const [withoutBrands, withBrands] = [false, true].map((hasBrands) =>
    inTabOrder(assets).map((asset) => assetForm(asset, hasBrands)),
  )
  const previewRenderer = createPreviewRenderer(deps)
  const pictureRenderers = { previewRenderer, brandPicture: createBrandPictures(deps) }
  const signedUrls = createSignedUrls(deps.playgroundKey, deps.clock)

  async function home(context: RequestContext): Promise<Markup> {
    const sent = new URLSearchParams(context.rawQuery)
    const forms = (deps.hasPublicBrands() ? withBrands : withoutBrands) ?? []
    const form = forms.find(({ asset }) => asset.id === sent.get('kind')) ?? forms[0]
    if (form === undefined) throw new Error('The catalog is empty.')
    const state = playgroundState(form, sent)
    const result = await playgroundResult({ previewRenderer, signedUrls }, state, context, sent.has('follow'))
    return homePage({ config, origin: context.baseUrl, assets, forms, state, result })
  }

  /** By the origin that they name: nothing else in them changes, and to make one takes some 8 ms. */
  const references = new LRUCache<string, Markup>({ max: keptReferencesMax })

  async function reference(context: RequestContext): Promise<Markup> {
    const { baseUrl: origin } = context
    const kept = references.get(origin)
    if (kept) return kept
    const answers = await exampleAnswers(previewRenderer, context)
    const made = docsPage({ config, origin, assets: inTabOrder(assets), answers, operations: operations() })
    references.set(origin, made)
    return made
  }

  function examples({ baseUrl }: RequestContext): Markup {
    return examplesPage(baseUrl)
  }

  function errors({ baseUrl }: RequestContext): Markup {
    return errorsPage(baseUrl, takesPayments(config))
  }

  async function status({ baseUrl }: RequestContext): Promise<Markup> {
    return statusPage(baseUrl, assets, await deps.readStats())
  }

  async function playground(id: string, context: RequestContext): Promise<Response> {
    context.isUnmadeForHead = true
    const query = signedUrls.verify(id, context.rawQuery)
    if (query === undefined) throw new Problem('not_found', 'This preview has gone. Load the page anew.')
    const response = await previewRenderer.respond(id, query, context)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, max-age=1800')
    return response
  }

  function picture(file: string, context: RequestContext) {
    return pictureResponse(assets, pictureRenderers, file, context)
  }

  return {
    home,
    reference,
    examples,
    errors,
    status,
    playground,
    picture,
    ...createMachineDocuments({ assets, operations, isPaid: takesPayments(config) }),
  }
}
