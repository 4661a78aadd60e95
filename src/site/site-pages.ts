import { type Asset, inTabOrder } from '../assets/kit/asset.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { type Config, takesPayments } from '../config.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clock } from '../lib/clock.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { type BrandPicturesDeps, createBrandPictures } from './brand-pictures.ts'
import { examplesPage } from './examples.tsx'
import { createGuidePages } from './guides/guide-pages.ts'
import { homePage } from './home.tsx'
import { homeExtras, noExtras } from './home-extras.ts'
import { createMachineDocuments } from './machine-documents.ts'
import type { RouteOperation } from './openapi/operation.ts'
import { ownCardParameter } from './own-card.ts'
import type { Page } from './page.ts'
import type { PictureSize } from './picture-size.ts'
import { pictureResponse } from './pictures.ts'
import { assetForms, formFor, playgroundState } from './playground/form.ts'
import { playgroundResult, type Result } from './playground/result.ts'
import { shuffled } from './playground/shuffle.ts'
import { createSignedUrls } from './playground/signed-urls.ts'
import { createPreviewRenderer, type PreviewRendererDeps } from './preview-renderer.ts'
import { measurePictures } from './reference/choice-section.tsx'
import { docsPage } from './reference/docs.tsx'
import { errorsPage } from './reference/errors-page.tsx'
import { exampleAnswers } from './reference/example-answers.ts'
import { createShareCardDrawer, type ShareCardDrawerDeps } from './share-card-drawer.ts'
import { statusPage } from './status-page.tsx'

export interface SiteDeps extends PreviewRendererDeps, BrandPicturesDeps, ShareCardDrawerDeps {
  readonly config: Config
  /** Signs the playground's URLs. */
  readonly playgroundKey: string
  readonly readStats: () => Promise<Stats>
  readonly clock: Clock
  /** Whether there is a brand that everybody may use. */
  readonly hasPublicBrands: () => boolean
  /** Routes that documents list beside the assets. */
  readonly operations: () => readonly RouteOperation[]
}

export type SitePages = ReturnType<typeof createSitePages>

/** Creates the public pages, their previews and pictures, and the files for programs. */
export function createSitePages(deps: SiteDeps) {
  const { config, operations } = deps
  const assets = deps.assets.map(({ asset }) => asset)
  const [withoutBrands, withBrands] = [false, true].map((hasBrands) =>
    inTabOrder(assets).flatMap((asset) => assetForms(asset, hasBrands)),
  )
  const previewRenderer = createPreviewRenderer(deps)
  const [brandPicture, shareCard] = [createBrandPictures(deps), createShareCardDrawer(deps)]
  const signedUrls = createSignedUrls(deps.playgroundKey, deps.clock)
  const badgeSizes = new Map<string, PictureSize | undefined>()

  async function home(context: RequestContext): Promise<Page | Response> {
    const sent = new URLSearchParams(context.rawQuery)
    const hasBrands = deps.hasPublicBrands()
    const forms = (hasBrands ? withBrands : withoutBrands) ?? []
    const form = formFor(forms, sent)
    if (sent.has('shuffle')) return seeOther(shuffled(form))
    const state = playgroundState(form, sent)
    const isFollowed = sent.has('follow')
    let extras = noExtras
    function written(result: Result, origin = context.baseUrl) {
      return homePage({ config, origin, assets, forms, state, result, ...extras })
    }
    // The free asset is never the same twice, because it shows counters.
    const isKept = state.isExample && !sent.has(ownCardParameter) && form.asset.priceMicros !== undefined
    return {
      ...(isKept && { name: `home ${form.id} ${hasBrands} ${signedUrls.window()}` }),
      async write(origin) {
        extras = await homeExtras({ previewRenderer, signedUrls, badgeSizes }, sent, context)
        const result = await playgroundResult({ previewRenderer, signedUrls }, state, context, isFollowed)
        return written(result, origin)
      },
      writeProblem: (problem) => written({ type: 'problem', problem }),
    }
  }

  function reference(context: RequestContext): Page {
    return {
      name: 'docs',
      async write(origin) {
        const answers = await exampleAnswers(previewRenderer, context, origin)
        const sizes = await measurePictures(previewRenderer, context)
        const shown = { assets: inTabOrder(assets), operations: operations(), answers, sizes }
        return docsPage({ config, origin, ...shown })
      },
    }
  }

  function examples(): Page {
    return { name: 'examples', write: examplesPage }
  }

  function errors(): Page {
    return { name: 'errors', write: (origin) => errorsPage(origin, takesPayments(config)) }
  }

  function status(): Page {
    return { write: (origin) => writeStatus(origin, assets, deps.readStats) }
  }

  async function playground(id: string, context: RequestContext): Promise<Response> {
    context.isUnmadeForHead = true
    const query = signedUrls.verify(id, context.rawQuery)
    if (query === undefined) throw new Problem('not_found', 'This preview has expired. Reload the page.')
    const response = await previewRenderer.respond(id, query, context)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, max-age=300')
    response.headers.set('x-auth-mode', 'ticket')
    return response
  }

  function picture(file: string, context: RequestContext) {
    return pictureResponse(assets, { previewRenderer, brandPicture, shareCard }, file, context)
  }

  return {
    home,
    reference,
    examples,
    errors,
    ...createGuidePages(assets, takesPayments(config)),
    status,
    playground,
    picture,
    ...createMachineDocuments({ assets, operations, isPaid: takesPayments(config) }),
  }
}

/** All who wait for the statistics go on at once, so each page has its turn. */
async function writeStatus(origin: string, assets: readonly Asset[], readStats: SiteDeps['readStats']) {
  const stats = await readStats()
  return await inTurn(() => statusPage(origin, assets, stats))
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
