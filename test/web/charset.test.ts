import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './charset-checks.ts'

describe('bytes become the text that their author meant', () => {
  onBoth(new URL('./charset-checks.ts', import.meta.url), checks)
})
