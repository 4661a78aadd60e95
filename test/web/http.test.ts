import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { sampleOf } from '../support/test-size.ts'
import { checks } from './http-checks.ts'

describe('whatever a server does, the fetcher gives a page or says why not', () => {
  testChecks(sampleOf(checks, 2))
})
