/**
 * Writes the Khmer words of ICU's list, the file `icu4c/source/data/brkitr/dictionaries/khmerdict.txt` of its repository, BudouX's
 * model of Japanese phrases, and the places of emoji in their pack: `bun src/text/build.ts khmerdict.txt`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import emojiNames from '@iconify-json/twemoji/chars.json' with { type: 'json' }
import { jaModel } from 'budoux'
import { emojiFile, readFontFile } from './font-files.ts'
import { narrow } from './south-east-asian.ts'

const [, , dictionary = 'khmerdict.txt'] = process.argv
const lines = (await readFile(dictionary, 'utf8')).split('\n').map((line) => line.trim())
// Without the comments at its top, and without words that hold joiners.
const words = lines.filter((line) => line !== '' && !/[#\u200B-\u200D\uFEFF]|^\p{Script=Latin}/u.test(line))
await write(
  'khmer/words',
  "ICU's Khmer dictionary, Copyright Unicode, Inc., Unicode License V3. Brotli, base64.",
  'packedWords',
  Buffer.from(narrow([...new Set(words)].sort().join('\n')), 'latin1'),
)
await write(
  'phrases/model',
  'BudouX, Copyright Google LLC, Apache License 2.0. Brotli of JSON, base64.',
  'packedModel',
  Buffer.from(JSON.stringify(jaModel)),
)

const pictures = new Map<string, readonly number[]>()
const pack = Buffer.from(await readFontFile(emojiFile)).toString('latin1')
const picture = /"([^"]+)":\s*\{\s*"body":\s*("(?:[^"\\]|\\.)*")([^}]*)\}/dg
for (const { 1: name = '', 2: { length } = '', 3: rest = '', indices } of pack.matchAll(picture))
  pictures.set(name, [indices?.[2]?.[0] ?? 0, length, Number(/"height":\s*([\d.]+)/.exec(rest)?.[1] ?? 36)])
const emoji = Object.entries(emojiNames).map(([key, name]) => [key, name, ...(pictures.get(name) ?? [])])
await write(
  'emoji',
  '@iconify-json/twemoji: code points, name, place and height of each picture. Brotli of JSON, base64.',
  'packedEmoji',
  Buffer.from(JSON.stringify(emoji)),
)

async function write(module: string, source: string, name: string, content: Buffer): Promise<void> {
  const packed = brotliCompressSync(content).toString('base64')
  const text = `/** Written by build.ts from ${source} */\nexport const ${name} =\n  '${packed}'\n`
  await writeFile(new URL(`${module}.generated.ts`, import.meta.url), text)
  console.log(`${module}: ${packed.length} characters`)
}
