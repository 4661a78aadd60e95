import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './discover-checks.ts'

describe('what is found out about a site', () => {
  onBoth(new URL('./discover-checks.ts', import.meta.url), checks)
})
