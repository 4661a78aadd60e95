import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './preview-service-checks.ts'

describe('what the preview service remembers', () => {
  onBoth(new URL('./preview-service-checks.ts', import.meta.url), checks)
})
