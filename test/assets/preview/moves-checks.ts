import assert from 'node:assert/strict'
import { FetchFailure } from '../../../src/web/fetch-failure.ts'
import type { Check } from '../../support/check.ts'
import refreshTable from './refreshes.json' with { type: 'json' }
import { type SmallAnswer, type SmallRequest, siteCheck, withSmallSite } from './support/small-site.ts'

function refresh(content: string, more = '') {
  return {
    body: `<html><head><meta http-equiv="refresh" content="${content}"><title>Redirecting…</title></head>${more}`,
  }
}

const there: SmallAnswer = { body: '<title>The real page</title>' }

/** Pages with a refresh, and the titles that they are previewed with. */
/** An answer that is a text is a refresh of that content, or the page that it leads to. */
const refreshes = (
  refreshTable as unknown as [
    kind: string,
    given: Record<string, string | SmallAnswer>,
    title: string,
    warnings: string[],
  ][]
).map(([kind, given, title, warnings]) => {
  const answers = Object.entries(given).map(([path, answer]) => {
    if (typeof answer === 'object') return [path, answer]
    return [path, answer === 'there' ? there : refresh(answer)]
  })
  return [kind, Object.fromEntries(answers) as Record<string, SmallAnswer>, title, warnings] as const
})

function number({ path }: SmallRequest) {
  return Number(path.slice(1))
}

function moved(location: string, cookies: readonly string[]): SmallAnswer {
  return { status: 302, headers: [`Location: ${location}`, ...cookies.map((text) => `Set-Cookie: ${text}`)] }
}

function numbered(text: string): readonly string[] {
  return Array.from({ length: 1_000 }, (_, at) => text.replace('n', `n${at}`))
}

export const checks: readonly Check[] = [
  ...refreshes.map(([kind, answers, title, warnings]) =>
    siteCheck(
      `a refresh ${kind}`,
      ({ path }) => answers[path] ?? { status: 404 },
      async ({ preview }) => {
        const found = await preview('/a')
        assert.equal(found.title, title)
        assert.deepEqual(found.warnings, warnings)
      },
    ),
  ),
  siteCheck(
    'a refresh is among the redirects, with the status of its page',
    ({ path }) => (path === '/b' ? there : refresh('0; url=/b')),
    async ({ origin, preview }) => {
      const { redirects, final_url } = await preview('/a')
      assert.deepEqual(redirects, [{ status: 200, url: `${origin}/a` }])
      assert.equal(final_url, `${origin}/b`)
    },
  ),
  siteCheck(
    'a chain of refreshes ends after five, and what was had last is the answer, for a minute',
    (request) => refresh(`0; url=/${number(request) + 1}`),
    async ({ origin, requests, preview }) => {
      const { final_url, warnings, cache } = await preview('/0')
      assert.equal(requests.length, 6)
      assert.deepEqual(
        [final_url, warnings, cache.ttl],
        [`${origin}/5`, ['meta_refresh', 'refresh_failed'], 60],
      )
    },
  ),
  siteCheck(
    'a site that waits for its cookie gets it back within the fetch, and not in the next one',
    ({ cookie }) =>
      cookie === 'seen=1'
        ? there
        : { status: 302, headers: ['Set-Cookie: seen=1; HttpOnly', 'Location: /a'] },
    async ({ requests, preview }) => {
      const found = await preview('/a')
      assert.deepEqual([found.http_status, found.title], [200, 'The real page'])
      await preview('/a?again')
      assert.deepEqual(
        requests.map(({ cookie }) => cookie),
        [undefined, 'seen=1', undefined, 'seen=1'],
      )
    },
  ),
  siteCheck(
    'a cookie of 64 KB is none, and of a thousand cookies twenty come back, none to another path',
    ({ path, cookie }) => {
      const shown = { body: `<title>${cookie?.split('; ').length ?? 0}</title>` }
      if (path === '/huge') return moved('/shown', [`big=${'x'.repeat(64_000)}`])
      if (path === '/many') return moved('/shown', numbered('n=1'))
      if (path === '/elsewhere') return moved('/shown', numbered('n=1; Path=/other'))
      return shown
    },
    async ({ preview }) => {
      assert.equal((await preview('/huge')).title, '0')
      assert.equal((await preview('/many')).title, '20')
      assert.equal((await preview('/elsewhere')).title, '0')
    },
  ),
  {
    name: 'a page that goes round with the same cookie is a loop, and one with ever new ones ends after five',
    run: async () => {
      for (const [value, reason] of [
        ['1', 'redirect_loop'],
        ['', 'too_many_redirects'],
      ] as const) {
        let count = 0
        await withSmallSite(
          () => {
            count += 1
            return { status: 302, headers: [`Set-Cookie: n=${value || count}`, 'Location: /a'] }
          },
          async ({ preview }) => {
            await assert.rejects(
              preview('/a'),
              (failure) => failure instanceof FetchFailure && failure.reason === reason,
            )
          },
        )
      }
    },
  },
  siteCheck(
    'a page that is cut is read again after a minute',
    () => ({ body: `<title>Long</title>${'<p>x</p>'.repeat(270_000)}` }),
    async ({ preview }) => {
      const { truncated, cache } = await preview('/a')
      assert.deepEqual([truncated, cache.ttl], [true, 60])
    },
  ),
]
