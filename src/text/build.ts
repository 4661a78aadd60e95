/** Writes the Khmer words of the ICU that Bun contains, and BudouX's model of Japanese phrases: `bun src/text/build.ts`. */
import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { jaModel } from 'budoux'
import { narrow } from './south-east-asian.ts'

/** The first letter of the script: the dictionary stores distances from it. */
const firstLetter = 0x1780
/** Bytes before the name of the format in a package of data. */
const packageMark = 12
/** Joiners, which lie outside of the script. */
const joiners: Readonly<Record<number, string>> = { 254: '\u200C', 255: '\u200D' }

const words = [...wordsAt(dictionaryIn(await readFile(process.execPath)), 0, '')]
  .filter((word) => !/[\u200C\u200D]/.test(word))
  .sort()
const packed = brotliCompressSync(Buffer.from(narrow(words.join('\n')), 'latin1')).toString('base64')
await write(
  'khmer/words',
  "ICU's Khmer dictionary, Copyright Unicode, Inc., Unicode License V3. Brotli, base64.",
  'packedWords',
  packed,
)
const model = brotliCompressSync(JSON.stringify(jaModel)).toString('base64')
await write(
  'phrases/model',
  'BudouX, Copyright Google LLC, Apache License 2.0. Brotli of JSON, base64.',
  'packedModel',
  model,
)

async function write(module: string, source: string, name: string, text: string): Promise<void> {
  const content = `/** Written by build.ts from ${source} */\nexport const ${name} =\n  '${text}'\n`
  await writeFile(new URL(`${module}.generated.ts`, import.meta.url), content)
  console.log(`${module}: ${text.length} characters`)
}

/** The tree of words within ICU's package of data, which is within the program. */
function dictionaryIn(program: Buffer): Buffer {
  const data = program.subarray(program.indexOf('CmnD') - packageMark)
  const start = data.readUInt16LE(0)
  const count = data.readUInt32LE(start)
  for (let at = 0; at < count; at++) {
    const entry = start + 4 + 8 * at
    const name = start + data.readUInt32LE(entry)
    if (!data.toString('latin1', name, data.indexOf(0, name)).endsWith('/khmerdict.dict')) continue
    const found = data.subarray(start + data.readUInt32LE(entry + 4))
    const indexes = found.readUInt16LE(0)
    return found.subarray(indexes + found.readInt32LE(indexes))
  }
  throw new Error('This Bun has no dictionary of Khmer')
}

/** The words below a node of ICU's BytesTrie. */
function* wordsAt(trie: Buffer, node: number, prefix: string): Generator<string> {
  const lead = trie.readUInt8(node)
  if (lead >= 0x20) {
    yield prefix
    if (lead % 2 === 0) yield* wordsAt(trie, node + valueLength(lead), prefix)
  } else if (lead >= 0x10) {
    const end = node + lead - 0x10 + 2
    yield* wordsAt(trie, end, prefix + [...trie.subarray(node + 1, end)].map(letterOf).join(''))
  } else {
    const isLong = lead === 0
    yield* branches(trie, node + (isLong ? 2 : 1), (isLong ? trie.readUInt8(node + 1) : lead) + 1, prefix)
  }
}

/** A branch is halved until it is a short list of letters and where they lead. */
function* branches(trie: Buffer, start: number, count: number, prefix: string): Generator<string> {
  if (count > 5) {
    const [delta, rest] = deltaAt(trie, start + 1)
    yield* branches(trie, rest + delta, count >> 1, prefix)
    yield* branches(trie, rest, count - (count >> 1), prefix)
    return
  }
  let at = start
  for (let left = count; left > 1; left--) {
    const word = prefix + letterOf(trie.readUInt8(at))
    const lead = trie.readUInt8(at + 1)
    const next = at + 1 + valueLength(lead)
    if (lead % 2 === 1) yield word
    else yield* wordsAt(trie, next + jumpAt(trie, at + 1), word)
    at = next
  }
  yield* wordsAt(trie, at + 1, prefix + letterOf(trie.readUInt8(at)))
}

function letterOf(byte: number): string {
  return joiners[byte] ?? String.fromCharCode(firstLetter + byte)
}

/** Bytes of a value, whose lowest bit says whether a word ends for good. */
function valueLength(lead: number): number {
  const kind = lead >> 1
  return kind < 0x51 ? 1 : kind < 0x6c ? 2 : kind < 0x7e ? 3 : 4 + (kind & 1)
}

function jumpAt(trie: Buffer, at: number): number {
  const kind = trie.readUInt8(at) >> 1
  if (kind < 0x51) return kind - 0x10
  if (kind < 0x6c) return ((kind - 0x51) << 8) | trie.readUInt8(at + 1)
  return kind < 0x7e
    ? ((kind - 0x6c) << 16) | trie.readUInt16BE(at + 1)
    : trie.readUIntBE(at + 1, 3 + (kind & 1))
}

/** A distance, and where what follows it is. */
function deltaAt(trie: Buffer, at: number): readonly [delta: number, next: number] {
  const lead = trie.readUInt8(at)
  if (lead < 0xc0) return [lead, at + 1]
  if (lead < 0xf0) return [((lead - 0xc0) << 8) | trie.readUInt8(at + 1), at + 2]
  if (lead < 0xfe) return [((lead - 0xf0) << 16) | trie.readUInt16BE(at + 1), at + 3]
  return [trie.readUIntBE(at + 1, 3 + (lead & 1)), at + 4 + (lead & 1)]
}
