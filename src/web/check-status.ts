import { FetchFailure } from './fetch-failure.ts'
import type { PageHead } from './fetched-page.ts'

/** Throws FetchFailure unless a response has status 2xx and is no bot challenge. */
export function checkStatus({ status, headers }: PageHead): void {
  const targetStatus = status
  if (challenges.some((isChallenge) => isChallenge(headers, status)))
    throw new FetchFailure('target_challenge', { targetStatus })
  if (status < 200 || status > 299) throw new FetchFailure('target_http_status', { targetStatus })
}

/** How content delivery networks mark a challenge that only a browser passes. */
const challenges: readonly ((headers: PageHead['headers'], status: number) => boolean)[] = [
  (headers) => headers['cf-mitigated'] === 'challenge',
  (headers) => /^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? ''),
  (headers) => headers['x-vercel-mitigated'] === 'challenge',
  (headers, status) => status === 403 && ('x-datadome' in headers || 'cf-chl-bypass' in headers),
]
