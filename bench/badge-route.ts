import { makeBadge } from 'badge-maker'
import { Elysia } from 'elysia'
import { createAuthorizer } from '../src/access/authorizer.ts'
import { createSecrets } from '../src/access/secrets.ts'
import { createTrafficLog } from '../src/access/traffic-log.ts'
import { badge } from '../src/assets/badge/asset.ts'
import { createBadgeProducer } from '../src/assets/badge/produce.ts'
import { badgeOf, type badgeQuery } from '../src/assets/badge/query.ts'
import type { Producer } from '../src/assets/kit/producer.ts'
import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { createMetered } from '../src/http/metered.ts'
import type { RenderedAsset } from '../src/http/parsed-request.ts'
import { contextOf } from '../src/http/request-context.ts'
import { createRequestParser } from '../src/http/request-parser.ts'
import { createRequestPipeline } from '../src/http/request-pipeline.ts'
import { queryOf, validatedQueries } from '../src/http/validated-queries.ts'
import { textBody } from '../src/lib/body.ts'
import { createByteCache } from '../src/lib/byte-cache.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createLog } from '../src/lib/log.ts'
import { createRateLimit } from '../src/lib/rate-limit.ts'
import { createPictureDrawer } from '../src/raster/picture-process/picture-drawer.ts'
import { openStore } from '../src/store/open.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { unboundedDrawings, usualFreeDrawings } from '../test/support/unbounded-drawings.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { fasterRow, type Row } from './support/row.ts'

/** Requests in flight together, as from many clients. */
const together = 50
const perRound = 5000
const rounds = 15
/** Rounds before those that count: the engine compiles meanwhile. */
const warmUps = 10

/** The whole way of a badge that nobody asked for before, against the same way with badge-maker at its end. */
export async function benchBadgeRoute(): Promise<readonly Row[]> {
  const raster = createDrawingPool()
  const own = createBadgeProducer({
    text: createTextEngine(),
    raster,
    pictures: createPictureDrawer(),
    livePages: {
      documentFetcher: () => Promise.reject(new Error('No document is read.')),
      unpaid: createRateLimit({ perMinute: 1, now: Date.now }),
      now: Date.now,
    },
  })
  const peer: Producer<typeof badgeQuery> = {
    ...own,
    produce(query) {
      const { label, message, color } = badgeOf(query)
      return textBody(makeBadge({ label, message, color }))
    },
  }
  const [askOwn, askPeer] = [routeOf(own), routeOf(peer)]
  const rows = await repeatIfShort(async () => [await compare(askOwn, askPeer)])
  raster.close()
  return rows
}

type Ask = (request: Request) => Promise<Response>

/** In turns, so that what else the machine does falls on both. */
async function compare(askOwn: Ask, askPeer: Ask): Promise<Row> {
  const pairs: { readonly own: number; readonly peer: number }[] = []
  for (let round = 0; round < warmUps + rounds; round++) {
    const pair = { own: await time(askOwn), peer: await time(askPeer) }
    if (round >= warmUps) pairs.push(pair)
  }
  const micros = median(pairs.map((pair) => pair.own))
  const ratio = median(pairs.map((pair) => pair.peer / pair.own))
  return fasterRow('route, every request a miss', micros, 'badge-maker', micros * ratio, 3)
}

let index = 0

/** Requests are made before the clock starts: that is not the work of the route. Its garbage is. */
async function time(ask: Ask): Promise<number> {
  const url =
    'http://localhost:3000/api/transform?label=build&color=brightgreen&demo=1&kind=badge&value=passing'
  const requests = Array.from({ length: perRound }, () => new Request(`${url}+${index++}`))
  const before = process.cpuUsage()
  for (let start = 0; start < perRound; start += together) {
    const answers = await Promise.all(requests.slice(start, start + together).map(ask))
    if (answers.some(({ status }) => status !== 200)) throw new Error('the route did not answer')
    await Promise.all(answers.map((answer) => answer.bytes()))
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / perRound
}

function routeOf(producer: Producer<typeof badgeQuery>): Ask {
  const store = openStore({ path: ':memory:' })
  const authorizer = createAuthorizer({
    store,
    traffic: createTrafficLog({ store, clock: systemClock }),
    secrets: createSecrets(new Uint8Array(32)),
    clock: systemClock,
    skewSeconds: 300,
    keyDailyQuota: 100,
    demoDailyQuota: Number.MAX_SAFE_INTEGER,
  })
  const cache = createByteCache<RenderedAsset>({ bytesMax: 16 * 2 ** 20, sizeOf: ({ body }) => body.length })
  const calls = createRequestParser([{ asset: badge, producer }])
  const metered = createMetered({
    authorizer,
    cache,
    drawings: unboundedDrawings(),
    freeDrawings: usualFreeDrawings(),
  })
  const router = new Elysia()
  router
    .use(validatedQueries(() => router.routes))
    .get('/api/transform', ({ query, request }) => metered.answer(query, contextOf(request)), {
      query: queryOf(badge.query, calls.read),
    })
  const fetch = createRequestPipeline({
    route: (request) => router.fetch(request),
    log: createLog({ level: 'info', write: () => {}, now: Date.now }),
    allowedHosts: [],
    trustedProxies: [],
  })
  return async (request) => fetch(request, () => '127.0.0.1')
}
