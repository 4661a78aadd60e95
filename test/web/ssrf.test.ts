import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './ssrf-checks.ts'

describe('no URL, name or redirect leads the fetcher into a private network', () => {
  onBoth(new URL('./ssrf-checks.ts', import.meta.url), checks)
})
