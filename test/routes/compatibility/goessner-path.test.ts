import { expect, test } from 'bun:test'
import { goessnerPath } from '../../../src/routes/compatibility/badge-parameters.ts'
import cases from './goessner-path.json' with { type: 'json' }

test.each(cases.rewritten)('%s of the older notation is %s', (older, path) => {
  expect(goessnerPath(older)).toBe(path)
})

test.each(cases.unchanged)('%s stays as it is', (path) => {
  expect(goessnerPath(path)).toBe(path)
})

test.each(['', '$[', '$]', '$.', '$[?"', '$...', '[['])(
  '%s, which is nothing, stays without a meaning',
  (path) => {
    expect(() => goessnerPath(path)).not.toThrow()
  },
)
