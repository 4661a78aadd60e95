import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './resolver-checks.ts'

describe('names, addresses and turns', () => {
  onBoth(new URL('./resolver-checks.ts', import.meta.url), checks)
})
