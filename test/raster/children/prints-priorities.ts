import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { createDrawingPool } from '../../../src/assets/og/drawing-pool.ts'
import { createPictureDrawer } from '../../../src/raster/picture-process/picture-drawer.ts'
import { svgOf } from '../../support/pictures.ts'
import { childrenOf } from '../../support/process-memory.ts'

/** Draws a picture of ours and one of a caller's, and prints how far each thread stands back, which Linux calls nice. */
const svg = String(svgOf('<path fill="#c00" d="M0 0h50v100H0z"/>'))
await createDrawingPool().svgPng(svg)
const href = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
await createPictureDrawer().draw({ href, widthPx: 28, heightPx: 14, zoom: 2 }, 'a')

const server = String(process.pid)
const ofThreads = readdirSync(`/proc/${server}/task`).map((thread) => niceness(`${server}/task/${thread}`))
const ofPictures = childrenOf(process.pid).map((pid) => niceness(String(pid)))
console.log(JSON.stringify({ main: niceness(server), ofThreads, ofPictures }))
process.exit()

function niceness(name: string): number {
  const [, fields = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
  return Number(fields.split(' ')[16])
}
