import { FetchFailure } from './fetch-failure.ts'
import type { PageHead } from './fetched-page.ts'

/** Throws FetchFailure unless a response has status 2xx and is no bot challenge. */
export function checkStatus(head: PageHead): void {
  const { status } = head
  const targetStatus = status
  if (isChallenge(head)) throw new FetchFailure('target_challenge', { targetStatus })
  if (status < 200 || status > 299) throw new FetchFailure('target_http_status', { targetStatus })
}

/** Whether the headers of a response mark it as a bot challenge. */
export function isChallenge({ status, headers }: Pick<PageHead, 'status' | 'headers'>): boolean {
  return challenges.some((isMarked) => isMarked(headers, status))
}

/** How content delivery networks mark a challenge that only a browser passes. */
const challenges: readonly ((headers: PageHead['headers'], status: number) => boolean)[] = [
  (headers) => headers['cf-mitigated'] === 'challenge',
  (headers) => /^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? ''),
  (headers) => headers['x-vercel-mitigated'] === 'challenge',
  (headers, status) => status === 403 && ('x-datadome' in headers || 'cf-chl-bypass' in headers),
]
