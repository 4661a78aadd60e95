import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { sampleOf } from '../support/test-size.ts'
import { checks } from './http-checks.ts'

describe('whatever a server does, the fetcher gives a page or says why not', () => {
  onBoth(new URL('./http-checks.ts', import.meta.url), sampleOf(checks, 2))
})
