import { Elysia } from 'elysia'
import { inTabOrder } from '../assets/asset.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { type Config, takesPayments } from '../config.ts'
import { Problem } from '../errors.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import type { Clock } from '../lib/clock.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { siteAssets } from './assets.ts'
import { type BrandPicturesDeps, createBrandPictures } from './brand-pictures.ts'
import { clientFiles } from './client-files.ts'
import { examplesPage } from './examples.tsx'
import { homePage } from './home.tsx'
import { machineFiles } from './machine-files.ts'
import type { Operation } from './openapi/operation.ts'
import { page } from './page.ts'
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

/** The public pages, their assets, and the files that programs read about the service. */
export function site(deps: SiteDeps) {
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

  async function reference(context: RequestContext): Promise<Markup> {
    const answers = await exampleAnswers(previewRenderer, context)
    return docsPage({
      config,
      origin: context.baseUrl,
      assets: inTabOrder(assets),
      answers,
      operations: operations(),
    })
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

  return new Elysia({ name: 'site' })
    .use(siteAssets.routes())
    .get('/playground/:id', async ({ request, params }) => {
      const context = contextOf(request)
      const query = signedUrls.verify(params.id, context.rawQuery)
      if (query === undefined) throw new Problem('not_found', 'This preview has gone. Load the page anew.')
      const response = await previewRenderer.respond(params.id, query, context)
      if (!response.headers.has('cache-control'))
        response.headers.set('cache-control', 'private, max-age=1800')
      return response
    })
    .get('/pictures/:file', ({ request, params }) =>
      pictureResponse(assets, pictureRenderers, params.file, contextOf(request)),
    )
    .use(machineFiles({ assets, operations, isPaid: takesPayments(config) }))
    .use(clientFiles())
    .get('/', ...page('home', 'What this is, and the playground.', home))
    .get('/examples', ...page('examples', 'Cards in every size, theme and scheme.', examples))
    .get('/docs', ...page('docs', 'The reference.', reference))
    .get('/docs/errors', ...page('errors', 'Every error with its cause and remedy.', errors))
    .get('/status', ...page('status', 'What the service does at this moment.', status))
}
