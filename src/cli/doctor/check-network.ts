import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { arrivalHeader } from '../../http/guarded-areas.ts'
import { systemClock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { readSharedAddress, sharedAddressText } from '../../operator/shared-address.ts'
import { databaseLocation } from '../../store/database-location.ts'
import { openForReading } from '../../store/open-database.ts'
import { readText } from '../read-text.ts'
import { bad, type Finding, ok, warning } from './finding.ts'

const timeoutMs = 5_000

/** The RPC answers, and the chain and the token are those of the settings. */
export async function checkPayments(config: Config): Promise<Finding> {
  if (config.X402_PAY_TO === undefined) return ok('off (X402_PAY_TO is not set)')
  const [{ readPaymentSettings }, { openChain }, { checkToken }] = await Promise.all([
    import('../../payments/payment-settings.ts'),
    import('../../payments/chain/chain.ts'),
    import('../../payments/chain/check-token.ts'),
  ])
  const settings = readPaymentSettings(config)
  const chain = settings && openChain(settings, systemClock)
  if (settings === undefined || chain === undefined)
    return warning('X402_RPC_URL is not set, so transfers cannot be checked')
  const { state, problems } = await checkToken(chain, settings)
  if (state === 'match') return ok(`${settings.asset.name} on ${settings.network}, to ${settings.payTo}`)
  return (state === 'unknown' ? warning : bad)(problems.join(' '))
}

/** A server answers where callers ask: at BASE_URL, through whatever stands before it. */
export async function checkAddress({ BASE_URL: baseUrl, PORT: port }: Config): Promise<Finding> {
  const origin = baseUrl ?? `http://localhost:${port}`
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the operator names this address, no caller can
    const answer = await fetch(`${origin}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isOurs = answer.headers.has('x-request-id')
    const arrival = answer.headers.get(arrivalHeader)
    const how =
      arrival === null ? '' : `, and its path is ${arrival}${arrival === 'passed' ? ' on' : ''} by the proxy`
    if (answer.status === 200 && isOurs) return ok(`${origin} answers${how}`)
    return warning(`${origin} answers with ${answer.status}${isOurs ? '' : ', and not by this program'}`)
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in 5 s' : reasonOf(error)
    return baseUrl === undefined
      ? ok(`no server runs on port ${port}`)
      : warning(`${origin} cannot be reached from here: ${why}`)
  }
}

/** A server behind a proxy has to know its own address and the networks of the proxy. */
export async function checkProxy(config: Config): Promise<Finding> {
  const { BASE_URL: baseUrl, TRUSTED_PROXIES: proxies } = config
  const address = await sharedAddress(config)
  if (address !== undefined) return warning(`${sharedAddressText} (${address})`)
  if (baseUrl === undefined)
    return warning('BASE_URL is not set: any host is served, and links name the host of the request')
  if (baseUrl.startsWith('https:') && proxies.length === 0)
    return warning(
      'BASE_URL is https, so a proxy stands before this server, and TRUSTED_PROXIES is empty: all callers count as one address',
    )
  return ok(
    proxies.length === 0
      ? 'callers are known by their connection'
      : `X-Forwarded-For counts from ${proxies.length} networks`,
  )
}

/** The private address that servers have noted for nearly all callers. A database that cannot be read is told elsewhere. */
async function sharedAddress(config: Config): Promise<string | undefined> {
  const location = databaseLocation(config)
  if (location.kind === 'sqlite' && !existsSync(location.path)) return undefined
  try {
    const { tables, close } = await openForReading(config, readText)
    try {
      return await readSharedAddress(tables.keyValues, systemClock.now())
    } finally {
      await close()
    }
  } catch {
    return undefined
  }
}
