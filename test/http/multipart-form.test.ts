import { describe } from 'bun:test'
import { onBoth } from '../support/on-both.ts'
import { checks } from './multipart-form-checks.ts'

describe('forms with files are read within bounds', () => {
  onBoth(new URL('./multipart-form-checks.ts', import.meta.url), checks)
})
