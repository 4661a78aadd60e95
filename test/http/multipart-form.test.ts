import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './multipart-form-checks.ts'

describe('forms with files are read within bounds', () => {
  testChecks(checks)
})
