import { expect, test } from 'bun:test'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { fromCompatibilityUrl } from '../../src/routes/compatibility/compatibility-urls.ts'
import { createService } from '../../src/service.ts'

const config = await readStartConfig(
  { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', MASTER_KEY: 'ab'.repeat(32) },
  () => '',
)
const service = await createService({ config, readFile: () => '', write: () => {} })
const paths = (await service.routes()).map(({ path }) => path)
await service.close()

test.each(paths)('no compatibility URL hides our own %s', (path) => {
  expect(fromCompatibilityUrl({ path, rawQuery: '' })).toBeUndefined()
})

test('documents, assets and the operator’s area are among them', () => {
  expect(paths).toEqual(
    expect.arrayContaining(['/api/og', '/api/og.png', '/api/usage', '/admin', '/openapi.json']),
  )
})
