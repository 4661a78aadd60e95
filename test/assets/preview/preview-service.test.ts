import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './preview-service-checks.ts'

describe('what the preview service remembers', () => {
  testChecks(checks)
})
