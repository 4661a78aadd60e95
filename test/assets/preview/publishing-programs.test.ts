import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './publishing-programs-checks.ts'

describe('pages are read as the programs write them that publish most of the web', () => {
  testChecks(checks)
})
