import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { sampleOf } from '../support/test-size.ts'
import { checks as charsetChecks } from './charset-checks.ts'
import { checks as httpChecks } from './http-checks.ts'
import { checks as resolverChecks } from './resolver-checks.ts'
import { checks as ssrfChecks } from './ssrf-checks.ts'
import { checks as tlsChecks } from './tls-checks.ts'

const guarantees = {
  'bytes become the text that their author meant': charsetChecks,
  'whatever a server does, the fetcher gives a page or says why not': sampleOf(httpChecks, 2),
  'names, addresses and turns': resolverChecks,
  'no URL, name or redirect leads the fetcher into a private network': ssrfChecks,
  'https goes only to who the URL names': tlsChecks,
}

for (const [guarantee, checks] of Object.entries(guarantees)) describe(guarantee, () => testChecks(checks))
