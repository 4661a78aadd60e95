import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './page-pieces-checks.ts'

describe('a page that arrives in pieces', () => {
  onBoth(new URL('./page-pieces-checks.ts', import.meta.url), checks)
})
