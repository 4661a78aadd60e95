import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './oembed-checks.ts'

describe('what a page of a video, a sound or a picture lacks is asked of its oEmbed', () => {
  testChecks(checks)
})
