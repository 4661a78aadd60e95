import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './publishing-programs-checks.ts'

describe('pages are read as the programs write them that publish most of the web', () => {
  onBoth(new URL('./publishing-programs-checks.ts', import.meta.url), checks)
})
