import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './dates-checks.ts'

describe('a page is dated by the day that it was published, and by no other day that it mentions', () => {
  onBoth(new URL('./dates-checks.ts', import.meta.url), checks)
})
