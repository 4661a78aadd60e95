import { Elysia } from 'elysia'
import { type Asset, assets } from '../catalog.ts'
import { type Config, priceMicros } from '../config.ts'
import { Problem } from '../errors.ts'
import { type Exchange, exchangeOf } from '../http/exchange.ts'
import type { Clock } from '../lib/clock.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import type { Stats } from '../stats/stats.ts'
import { siteAssets } from './assets.ts'
import { homePage } from './home.tsx'
import { answerPage } from './html-response.ts'
import { llmsTxt, robotsTxt, sitemapXml } from './machine-files.ts'
import { openapi } from './openapi/openapi.ts'
import { pictureResponse } from './pictures.ts'
import { assetForm } from './playground/form.ts'
import { inTabOrder } from './playground/presentation.ts'
import { playgroundResult } from './playground/result.ts'
import { playgroundState } from './playground/state.ts'
import { createTickets } from './playground/tickets.ts'
import { docsPage } from './reference/docs.tsx'
import { errorsPage } from './reference/errors-page.tsx'
import { exampleAnswers } from './reference/example-answers.ts'
import { statusPage } from './status-page.tsx'
import { createStudio, type StudioDeps } from './studio.ts'

export interface SiteDeps extends StudioDeps {
  readonly config: Config
  /** What the playground's addresses are signed with. */
  readonly playgroundKey: string
  readonly readStats: () => Promise<Stats>
  readonly clock: Clock
}

/** The public pages, the files that they load, and what programs read about the service. */
export function site(deps: SiteDeps) {
  const { config } = deps
  const priced = Object.values(assets).map((row: Asset) => withPrice(row, config))
  const forms = inTabOrder(priced.map(assetForm))
  const studio = createStudio(deps)
  const tickets = createTickets(deps.playgroundKey, deps.clock)

  async function home(exchange: Exchange): Promise<Markup> {
    const sent = new URLSearchParams(exchange.rawQuery)
    const form = forms.find(({ asset }) => asset.id === sent.get('kind')) ?? forms[0]
    if (form === undefined) throw new Error('The catalog is empty.')
    const state = playgroundState(form, sent)
    const result = await playgroundResult({ studio, tickets }, state, exchange, sent.has('follow'))
    return homePage({ config, origin: exchange.baseUrl, assets: priced, forms, state, result })
  }

  async function reference(exchange: Exchange): Promise<Markup> {
    const answers = await exampleAnswers(studio, exchange)
    const inTabs = forms.map(({ asset }) => asset)
    return docsPage({ config, origin: exchange.baseUrl, assets: inTabs, answers })
  }

  return new Elysia({ name: 'site' })
    .use(siteAssets.routes())
    .get('/', ({ request }) => {
      const exchange = exchangeOf(request)
      return answerPage(exchange, () => home(exchange))
    })
    .get('/playground/:id', async ({ request, params }) => {
      const exchange = exchangeOf(request)
      const query = tickets.read(params.id, exchange.rawQuery)
      if (query === undefined) throw new Problem('not_found', 'This preview has gone. Load the page anew.')
      const response = await studio.answer(params.id, query, exchange)
      if (!response.headers.has('cache-control'))
        response.headers.set('cache-control', 'private, max-age=1800')
      return response
    })
    .get('/pictures/:file', ({ request, params }) =>
      pictureResponse(studio, params.file, exchangeOf(request)),
    )
    .get('/docs', ({ request }) => {
      const exchange = exchangeOf(request)
      return answerPage(exchange, () => reference(exchange))
    })
    .get('/docs/errors', ({ request }) => {
      const exchange = exchangeOf(request)
      return answerPage(exchange, () => errorsPage(exchange.baseUrl))
    })
    .get('/status', ({ request }) => {
      const exchange = exchangeOf(request)
      return answerPage(exchange, async () => statusPage(exchange.baseUrl, await deps.readStats()))
    })
    .get('/openapi.json', ({ request }) => file('application/json', openapi(exchangeOf(request).baseUrl)))
    .get('/llms.txt', ({ request }) => file('text/plain', llmsTxt(exchangeOf(request).baseUrl)))
    .get('/robots.txt', async ({ request }) =>
      file('text/plain', await robotsTxt(exchangeOf(request).baseUrl)),
    )
    .get('/sitemap.xml', ({ request }) => file('application/xml', sitemapXml(exchangeOf(request).baseUrl)))
}

/** What programs read; it changes with the program only. */
function file(type: string, body: unknown): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
  })
}

function withPrice(row: Asset, config: Config): Asset {
  return row.priceMicros === undefined ? row : { ...row, priceMicros: priceMicros(config, row.id) }
}
