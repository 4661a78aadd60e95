import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import process from 'node:process'
import { dieBeforeOthers, endAtOnce, endWithPipes, lowerPriority } from '../../lib/own-process.ts'
import { checkFont } from './check-font.ts'
import { FontRefused, fontReply } from './font-limits.ts'

/**
 * The program of the process that checks one font, started by `read-font.ts` only: the file comes on its input, the answer goes
 * to its output. Unpacking and shaping cannot be stopped, so the parent ends the process where they take too long.
 */
const chunks: Buffer[] = []

process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk))
process.stdin.on('end', () => void answer())
endWithPipes()
dieBeforeOthers()
lowerPriority()

async function answer(): Promise<void> {
  try {
    reply(fontReply.kept, await checkFont(Buffer.concat(chunks)))
  } catch (error) {
    const reason = error instanceof FontRefused ? error.message : 'is damaged: it cannot be read as a font'
    reply(fontReply.refused, new TextEncoder().encode(reason))
  }
}

function reply(kind: number, content: Uint8Array): void {
  process.stdout.write(
    Buffer.concat([Buffer.of(kind), hash('sha256', content, 'buffer'), content]),
    endAtOnce,
  )
}
