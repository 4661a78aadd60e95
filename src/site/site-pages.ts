import type { AssetParts } from '../assets/asset-parts.ts'
import { inTabOrder, type ServedAsset } from '../assets/kit/asset.ts'
import type { LivePages } from '../assets/live-pages.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { type Config, takesPayments } from '../config.ts'
import { Problem } from '../errors.ts'
import type { DrawingService } from '../http/drawing-service.ts'
import type { RequestContext } from '../http/request-context.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { examplesPage } from './examples.tsx'
import { botPage, dividedGuidePage, guideMarkdown, guidePage, guidesPage } from './guides/guide-pages.tsx'
import type { Guide } from './guides/guides.ts'
import { type HomeInput, homePage, ownCard, ownCardParameter, sampleCard } from './home.tsx'
import { createMachineDocuments } from './machine-documents.ts'
import type { RouteOperation } from './openapi/operation.ts'
import type { Page } from './page.ts'
import { createPictures } from './pictures.ts'
import { assetForms, formFor, playgroundState, shuffled } from './playground/form.ts'
import {
  createSignedUrls,
  createVisitorDrawings,
  playgroundResult,
  type Result,
  type VisitorQuota,
} from './playground/result.tsx'
import { exampleAnswers, measurePictures } from './reference/asset-section.tsx'
import { docsPage } from './reference/docs.tsx'
import { errorsPage } from './reference/errors-page.tsx'
import { wallBadges } from './sample-pictures.ts'
import { statusPage } from './status-page.tsx'

export interface SiteDeps extends VisitorQuota {
  readonly assets: readonly ServedAsset[]
  readonly pictures: AssetParts['pictures']
  readonly config: Config
  /** Signs the playground's URLs. */
  readonly playgroundKey: string
  readonly readStats: () => Promise<Stats>
  readonly hasPublicBrands: () => boolean
  readonly operations: () => readonly RouteOperation[]
  readonly livePages: Pick<LivePages, 'product'>
}

export type SitePages = ReturnType<typeof createSitePages>

export function createSitePages(deps: SiteDeps, drawings: DrawingService) {
  const { config, operations } = deps
  const assets = deps.assets.map(({ asset }) => asset)
  const [withoutBrands, withBrands] = [false, true].map((hasBrands) =>
    inTabOrder(assets).flatMap((asset) => assetForms(asset, hasBrands)),
  )
  const visitors = createVisitorDrawings(drawings, deps)
  const pictures = createPictures(assets, drawings, deps.pictures)
  const signedUrls = createSignedUrls(deps.playgroundKey, deps.clock)
  const resultDeps = { drawings, visitors, signedUrls }

  async function measuredBadges(context: RequestContext) {
    return await Promise.all(
      wallBadges.map(async (badge) => ({ ...badge, size: await pictures.sizeOf(badge, context) })),
    )
  }

  async function home(context: RequestContext): Promise<Page | Response> {
    const sent = new URLSearchParams(context.rawQuery)
    const hasBrands = deps.hasPublicBrands()
    const forms = (hasBrands ? withBrands : withoutBrands) ?? []
    const form = formFor(forms, sent)
    if (sent.has('shuffle')) return seeOther(shuffled(form))
    const state = playgroundState(form, sent)
    const isFollowed = sent.has('follow')
    let drawn: Pick<HomeInput, 'own' | 'badges'> = { own: sampleCard, badges: wallBadges }
    function written(result: Result, origin = context.baseUrl) {
      return homePage({ config, origin, assets, forms, state, result, ...drawn })
    }
    // The free asset is never the same twice, because it shows counters.
    const isKept = state.isExample && !sent.has(ownCardParameter) && form.asset.priceMicros !== undefined
    return {
      ...(isKept && { name: `home ${form.id} ${hasBrands} ${signedUrls.window()}` }),
      async write(origin) {
        const badges = measuredBadges(context)
        drawn = { own: await ownCard(resultDeps, sent, context), badges: await badges }
        const result = await playgroundResult(resultDeps, state, context, isFollowed)
        return written(result, origin)
      },
      writeProblem: (problem) => written({ type: 'problem', problem }),
    }
  }

  function docs(context: RequestContext): Page {
    return {
      name: 'docs',
      async write(origin) {
        const answers = await exampleAnswers(drawings, context, origin)
        const sizes = await measurePictures(pictures, context)
        const shown = { assets: inTabOrder(assets), operations: operations(), answers, sizes }
        return docsPage({ config, origin, ...shown })
      },
    }
  }

  async function playground(id: string, context: RequestContext): Promise<Response> {
    context.isUnmadeForHead = true
    const query = signedUrls.verify(id, context.rawQuery)
    if (query === undefined) throw new Problem('not_found', 'This preview has expired. Reload the page.')
    const response = await visitors.respond(id, query, context)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, max-age=300')
    response.headers.set('x-auth-mode', 'ticket')
    return response
  }

  return {
    home,
    docs,
    examples: () => named('examples', examplesPage),
    errors: () => named('errors', (origin) => errorsPage(origin, takesPayments(config))),
    guides: () => named('guides', guidesPage),
    guide: (guide: Guide) => named(`guide ${guide.slug}`, (origin) => guidePage(guide, origin)),
    dividedGuide: (slug: string) => named(`divided ${slug}`, (origin) => dividedGuidePage(slug, origin)),
    guideMarkdown,
    bot: () =>
      named('bot', (origin) => botPage(deps.livePages.product, config.FETCH_TARGET_PER_MINUTE, origin)),
    /** All who wait for the statistics go on at once, so each page has its turn. */
    status: (): Page => ({
      async write(origin) {
        const stats = await deps.readStats()
        return await inTurn(() => statusPage(origin, assets, stats))
      },
    }),
    playground,
    picture: pictures.response,
    ...createMachineDocuments({ assets, operations, isPaid: takesPayments(config) }),
  }
}

function named(name: string, write: Page['write']): Page {
  return { name, write }
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
