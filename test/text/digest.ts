/** Prints one line for each sample: what any engine that runs this must print, byte for byte. */

import { createHash } from 'node:crypto'
import { blockPath } from '../../src/text/block-path.ts'
import { cleanText } from '../../src/text/clean-text.ts'
import { initials } from '../../src/text/initials.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import type { Family } from '../../src/text/types.ts'
import { woff2Ready } from '../../src/text/woff2.ts'
import expectations from '../fixtures/text/initials.json' with { type: 'json' }
import { cardTexts, hostileTexts } from './texts.ts'

await woff2Ready

const engine = createTextEngine()
const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']

for (const [at, { id, ...sample }] of [...cardTexts(), ...hostileTexts()].entries()) {
  const style = { family: families[at % 4] ?? 'sans', weight: 400 + (at % 5) * 100 }
  const request = {
    ...sample,
    style,
    sizesPx: [72, 60, 48, 36],
    maxWidthPx: 900,
    maxHeightPx: 320,
    maxLines: 4,
  }
  const fitted = await engine.draw([request], (fitter) => fitter.fit(request))
  const drawn = JSON.stringify(blockPath(fitted, 'start', 900))
  console.log(
    id,
    fitted.sizePx,
    fitted.lines.length,
    createHash('sha256').update(drawn).digest('hex').slice(0, 16),
  )
}

for (const [name = ''] of Object.values(expectations.names).flat())
  console.log(name, initials(cleanText(name)))
