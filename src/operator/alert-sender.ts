import { type FetchSettings, fetchOptions } from '../assets/live-pages.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import { hmacHex } from '../lib/hmac-hex.ts'
import type { WebPoster } from '../web/web-poster.ts'

interface AlertSenderDeps {
  readonly config: FetchSettings & Pick<Config, 'ALERT_WEBHOOK_URL' | 'ALERT_WEBHOOK_SECRET'>
  readonly clock: Clock
  readonly readFile: (path: string) => string
}

/** Outcome of an alert: whether it arrived, and what the receiver answered or why none did, as a sentence. */
interface AlertDelivery {
  readonly isDelivered: boolean
  readonly text: string
}

/** Sends the body of an alert. */
export type AlertSender = (body: string) => Promise<AlertDelivery>

/** The sender of alerts; undefined: no receiver is set. */
export function createAlertSender({ config, clock, readFile }: AlertSenderDeps): AlertSender | undefined {
  const { ALERT_WEBHOOK_URL: receiver, ALERT_WEBHOOK_SECRET: secret } = config
  if (receiver === undefined) return undefined
  const url = new URL(receiver)
  let poster: Promise<WebPoster> | undefined
  return async (body) => {
    // Loaded with the first alert, because it takes memory.
    poster ??= import('../web/web-poster.ts').then(({ createWebPoster }) =>
      createWebPoster(fetchOptions(config, readFile)),
    )
    const headers = {
      'Content-Type': 'application/json',
      ...(secret !== undefined && { 'X-Mintmark-Signature': signatureOf(body, secret, clock.now()) }),
    }
    try {
      const status = await (await poster).post(url, body, headers)
      const isDelivered = status >= 200 && status < 300
      return { isDelivered, text: `The receiver answered with status ${status}.` }
    } catch (error) {
      return { isDelivered: false, text: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** The text that a receiver checks: `t=<unix seconds>,sig=<hex HMAC-SHA256 over "<t>.<body>">`. */
function signatureOf(body: string, secret: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1000)
  return `t=${t},sig=${hmacHex(secret, `${t}.${body}`)}`
}
