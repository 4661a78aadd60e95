import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './driver-checks.ts'

describe('the driver of SQLite does the same on each runtime', () => {
  testChecks(checks)
})
