import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { satoriPeer, takumiPeer } from './peers.ts'

/**
 * The script that people write into the build of their site: walks the pages, reads title and description, draws a card
 * and names it in the head. Arguments: the name of the peer and the folder.
 */
async function drawCards(peerName: string | undefined, folder: string): Promise<void> {
  const peer = await (peerName === 'takumi' ? takumiPeer() : satoriPeer())
  mkdirSync(join(folder, 'og'), { recursive: true })
  for (const path of readdirSync(folder, { recursive: true }).map(String)) {
    if (!path.endsWith('.html')) continue
    const file = join(folder, path)
    const html = readFileSync(file, 'utf8')
    const title = /<title>([^<|]*)/.exec(html)?.[1]?.trim() ?? ''
    const subtitle = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const png = await peer.png({ title, subtitle, author: 'Tidewater', url: 'tidewater.example' })
    const name = `${createHash('sha256').update(png).digest('hex').slice(0, 16)}.png`
    writeFileSync(join(folder, 'og', name), png)
    const tag = `<meta property="og:image" content="https://tidewater.example/og/${name}">`
    writeFileSync(file, html.replace('</head>', `${tag}</head>`))
  }
}

await drawCards(process.argv[2], process.argv[3] ?? '.')
