import { expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { fromCompatibilityUrl } from '../../src/routes/compatibility/compatibility-urls.ts'
import { operations } from '../../src/site/reference/operations.ts'

const paths = [
  ...operations.map(({ path }) => path),
  ...assets.flatMap(({ path, variants = [] }) => [path, ...variants.map((variant) => variant.path)]),
]

test.each(paths)('no compatibility URL hides our own %s', (path) => {
  expect(fromCompatibilityUrl({ path, rawQuery: '' })).toBeUndefined()
})
