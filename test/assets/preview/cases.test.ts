import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './cases-checks.ts'

describe('what a page says about itself', () => {
  onBoth(new URL('./cases-checks.ts', import.meta.url), checks)
})
