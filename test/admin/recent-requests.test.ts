import { expect, test } from 'bun:test'
import { createRecentRequests } from '../../admin/recent-requests.ts'

test('requests of callers and pictures of our own pages are kept apart, in whatever order they come', () => {
  const recent = createRecentRequests()
  const paths = [
    '/api/og',
    '/admin/keys',
    '/api/og',
    '/pictures/card.svg',
    '/pictures/card.svg',
    '/assets/a.js',
  ]
  for (let round = 0; round < 600; round += 1)
    for (const [index, path] of paths.entries())
      recent.add({
        atMs: 10 * round + index,
        id: `${round}`,
        method: 'GET',
        path,
        status: 200,
        durationMs: 1,
        auth: '',
        asset: '',
        keyId: '',
        agent: '',
      })
  const seen = Map.groupBy(recent.list(), ({ path }) => path)
  expect([...seen].map(([path, { length }]) => [path, length]).toSorted()).toEqual([
    ['/api/og', 1000],
    ['/pictures/card.svg', 100],
  ])
  expect(seen.get('/api/og')?.[0]?.id).toBe('599')
  expect(seen.get('/api/og')?.at(-1)?.id).toBe('100')
})
