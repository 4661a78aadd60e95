import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './tls-checks.ts'

describe('https goes only to who the URL names', () => {
  testChecks(checks)
})
