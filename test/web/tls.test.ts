import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './tls-checks.ts'

describe('https goes only to who the URL names', () => {
  onBoth(new URL('./tls-checks.ts', import.meta.url), checks)
})
