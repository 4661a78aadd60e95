import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './moves-checks.ts'

describe('a page that has moved is read where it is now', () => {
  onBoth(new URL('./moves-checks.ts', import.meta.url), checks)
})
