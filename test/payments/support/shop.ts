import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthorizer } from '../../../src/access/authorizer.ts'
import { createSecrets } from '../../../src/access/secrets.ts'
import { createTrafficLog } from '../../../src/access/traffic-log.ts'
import { og } from '../../../src/assets/og/asset.ts'
import { readConfig } from '../../../src/config.ts'
import { createMetered } from '../../../src/http/asset-handler.ts'
import { contextOf, type RenderedAsset } from '../../../src/http/request-context.ts'
import { createRequestParser } from '../../../src/http/request-parser.ts'
import { createRequestPipeline } from '../../../src/http/request-pipeline.ts'
import { preflight } from '../../../src/http/responses.ts'
import { createByteCache } from '../../../src/lib/byte-cache.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { createLog } from '../../../src/lib/log.ts'
import { watchSharedAddress } from '../../../src/operator/shared-address.ts'
import { createPayments } from '../../../src/payments/create-payments.ts'
import { type PaymentSettings, readPaymentSettings } from '../../../src/payments/payment-settings.ts'
import { dropDatabaseOf, openTestStore } from '../../support/test-store.ts'
import { unboundedDrawings, usualFreeDrawings } from '../../support/unbounded-drawings.ts'
import { patientEnv, walletEnv } from './wallet-env.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

export interface ShopOptions {
  /** Settings beside the wallet and the network. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** A database that is there already, as a file or a `postgres://` URL; else one of its own that goes with the shop. */
  readonly path?: string
  readonly priceMicros?: number
  /** `false`: the 402 names no way to pay. */
  readonly saysHowToPay?: boolean
}

const slowMs = 1_500

/**
 * The service's own way from a socket to an answer, selling one thing that takes no time to make: what is tested
 * is the payment. `makes` counts what was made; a title of "fail" cannot be made, one of "slow" takes a while.
 */
export async function openShop(rpcUrls: string, options: ShopOptions = {}) {
  const { clock = systemClock, priceMicros = 10_000, saysHowToPay = true } = options
  const directory = mkdtempSync(join(tmpdir(), 'payments-'))
  const path = options.path ?? join(directory, 'shop.sqlite')
  const waitEnv = { ...patientEnv, X402_POLL_MS: '50', X402_WAIT_MS: '300' }
  const config = readConfig({ ...walletEnv(rpcUrls), ...waitEnv, ...options.env }, () => '')
  const { settings, hurried } = withPatience(readPaymentSettings(config))
  const { log, lines } = createTestLog(clock)
  const store = await openTestStore({ path, clock })
  const payments = await createPayments({
    settings,
    store,
    clock,
    log,
    clients: watchSharedAddress({ config, store, clock, log }),
    secret: new Uint8Array(32).fill(9),
    describe: () => ({ description: 'A card', mimeType: 'image/svg+xml' }),
    lowestPriceMicros: priceMicros,
  })
  const counts = { makes: 0 }
  const gate: Gate = { wait: undefined }
  const reader = createRequestParser([
    { asset: { ...og, priceMicros }, producer: createTestProducer(counts, gate) },
  ])
  const metered = createMetered({
    drawings: unboundedDrawings(),
    freeDrawings: usualFreeDrawings(),
    authorizer: createTestAuthorizer({ store, clock, payments }),
    cache: createByteCache<RenderedAsset>(1, ({ body }) => body.length),
    payments: saysHowToPay ? payments : undefined,
  })
  const fetch = createRequestPipeline({
    route(request) {
      const context = contextOf(request)
      if (context.method === 'OPTIONS') return preflight('/api/og', ['GET', 'HEAD', 'OPTIONS'])
      return metered.answer(reader.read(context), context)
    },
    log,
    allowedHosts: [],
    // A test may call from any address: it says which in X-Forwarded-For.
    trustedProxies: ['127.0.0.1/32'],
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: (request) => fetch(request, () => '127.0.0.1'),
  })
  await payments.start()

  async function close() {
    payments.stop()
    await server.stop(true)
    await store.close()
    rmSync(directory, { recursive: true, force: true })
    if (options.path === undefined) await dropDatabaseOf(path)
  }
  return {
    url: `http://127.0.0.1:${server.port}`,
    payments,
    store,
    settings,
    counts,
    gate,
    lines,
    path,
    hurried,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createTestLog(clock: Clock) {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { lines, log: createLog({ level: 'warn', write, now: () => clock.now(), delayMs: 0 }) }
}

/** Settings whose waits for a block a test can end. */
function withPatience(read: PaymentSettings | undefined) {
  if (read === undefined) throw new Error('The shop needs a wallet.')
  let patienceMs: number | undefined
  const settings: PaymentSettings = {
    ...read,
    get waitMs() {
      return patienceMs ?? read.waitMs
    },
    get settleTimeoutMs() {
      return patienceMs ?? read.settleTimeoutMs
    },
  }
  return {
    settings,
    /** Asks while the shop waits no longer for a block or a facilitator than this, for a test that lets it wait in vain. */
    async hurried<T>(ask: () => Promise<T>, waitMs = 0): Promise<T> {
      patienceMs = waitMs
      try {
        return await ask()
      } finally {
        patienceMs = undefined
      }
    },
  }
}

/** Holds back what is made, as long as there is a promise to wait for. */
interface Gate {
  wait: Promise<void> | undefined
}

function createTestProducer(counts: { makes: number }, gate: Gate) {
  return {
    describe: () => ({ contentType: 'image/svg+xml', filename: 'card.svg' }),
    async produce({ title }: { readonly title: string }) {
      counts.makes += 1
      await gate.wait
      if (title === 'slow') await Bun.sleep(slowMs)
      if (title === 'fail') throw new Error('It cannot be made.')
      const text = `<svg xmlns="http://www.w3.org/2000/svg"><title>${title} ${counts.makes}</title></svg>`
      return new TextEncoder().encode(text)
    },
  }
}

interface AuthorizerParts {
  readonly store: Awaited<ReturnType<typeof openTestStore>>
  readonly clock: Clock
  readonly payments: Awaited<ReturnType<typeof createPayments>>
}

function createTestAuthorizer({ store, clock, payments }: AuthorizerParts) {
  return createAuthorizer({
    store,
    traffic: createTrafficLog({ store, clock }),
    secrets: createSecrets(new Uint8Array(32).fill(7)),
    clock,
    skewSeconds: 300,
    keyDailyQuota: 100,
    demoDailyQuota: 3,
    payments,
  })
}
