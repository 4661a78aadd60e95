import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './kinds-of-pages-checks.ts'

describe('shops, forums, manuals, authorities and lists: what their pages name is found, and nothing is invented', () => {
  testChecks(checks)
})
