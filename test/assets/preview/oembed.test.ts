import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { checks } from './oembed-checks.ts'

describe('what a page of a video, a sound or a picture lacks is asked of its oEmbed', () => {
  onBoth(new URL('./oembed-checks.ts', import.meta.url), checks)
})
