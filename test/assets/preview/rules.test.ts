import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './rules-checks.ts'

describe('the rules that decide a field', () => {
  onBoth(new URL('./rules-checks.ts', import.meta.url), checks)
})
