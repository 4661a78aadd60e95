import { FetchFailure } from './fetch-failure.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export function checkStatus({ status, headers }: Answer): void {
  const targetStatus = status
  if (challenges.some((isChallenge) => isChallenge(headers, status)))
    throw new FetchFailure('target_challenge', { targetStatus })
  if (status < 200 || status > 299) throw new FetchFailure('target_http_status', { targetStatus })
}

/** How the large gatekeepers mark a page that only a browser may pass. */
const challenges: readonly ((headers: Answer['headers'], status: number) => boolean)[] = [
  (headers) => headers['cf-mitigated'] === 'challenge',
  (headers) => /^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? ''),
  (headers) => headers['x-vercel-mitigated'] === 'challenge',
  (headers, status) => status === 403 && ('x-datadome' in headers || 'cf-chl-bypass' in headers),
]
