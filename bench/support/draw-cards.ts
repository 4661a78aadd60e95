import { createInterface } from 'node:readline'
import { createCardRenderer } from '../../src/assets/og/card-renderer.ts'
import { startWithSmallHeap } from '../../src/cli/small-heap.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { encodedBytes } from './encoded-bytes.ts'
import { roundOf } from './measure.ts'

// Garbage costs as much as in the server only with the server's settings for it.
startWithSmallHeap()

const cards = createCardRenderer(createTextEngine())
let run = ''
let asked = 0

/** Draws a card of `new-cards.lua`. */
async function draw(): Promise<number> {
  asked += 1
  const params = { title: `Release ${asked} of ${run}`, subtitle: `Notes of ${asked * 7}` }
  return encodedBytes((await cards.svgPieces({ params })).join(''))
}

/** Each line of the input is how many ms to draw for, and the name of the run. The answer is the µs of CPU of a card. */
for await (const line of createInterface(process.stdin)) {
  const [roundMs = '', ...words] = line.split(' ')
  run = words.join(' ')
  asked = 0
  console.log(await roundOf(draw, Number(roundMs)))
}
