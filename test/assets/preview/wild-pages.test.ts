import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './wild-pages-checks.ts'

describe('pages as they are in the wild', () => {
  onBoth(new URL('./wild-pages-checks.ts', import.meta.url), checks)
})
