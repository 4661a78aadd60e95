import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './driver-checks.ts'

describe('the driver of SQLite does the same on each runtime', () => {
  onBoth(new URL('./driver-checks.ts', import.meta.url), checks)
})
