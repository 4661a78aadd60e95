import { describe, expect, test } from 'bun:test'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { createAddressPolicy } from '../../../src/web/address-policy.ts'
import { testChecks } from '../../support/check.ts'
import { checks } from './as-meant-checks.ts'

describe('names, links and texts are read as their authors meant them', () => {
  testChecks(checks)
})

test('links to a private network that the operator allows are handed on', async () => {
  const { isAllowlisted } = createAddressPolicy(['10.0.0.0/8', '127.0.0.0/8'])
  const parser = createPageParser({
    url: 'https://site.example.com/',
    headers: {},
    contentType: 'text/html',
    allowsAddress: isAllowlisted,
  })
  await parser.write(
    Buffer.from(
      '<meta property="og:image" content="http://10.1.2.3/a.png"><meta property="og:image" content="http://192.168.1.1/b.png">' +
        '<link rel="canonical" href="http://localhost:3000/x">',
    ),
  )
  const { fields } = await parser.finish()
  expect(fields.images.map(({ url }) => url)).toEqual(['http://10.1.2.3/a.png'])
  expect(fields.canonical).toBe('http://localhost:3000/x')
  expect(fields.warnings).toEqual(['private_address'])
})
