import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './kinds-of-pages-checks.ts'

describe('shops, forums, manuals, authorities and lists: what their pages name is found, and nothing is invented', () => {
  onBoth(new URL('./kinds-of-pages-checks.ts', import.meta.url), checks)
})
