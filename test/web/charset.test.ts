import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './charset-checks.ts'

describe('bytes become the text that their author meant', () => {
  testChecks(checks)
})
