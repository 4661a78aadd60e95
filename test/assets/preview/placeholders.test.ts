import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './placeholders-checks.ts'

describe('what a template left unfilled is no value', () => {
  onBoth(new URL('./placeholders-checks.ts', import.meta.url), checks)
})
