import { expect, test } from 'bun:test'
import { painter } from '../../src/raster/painter/painter.ts'
import { readPath } from '../../src/svg/read-path.ts'
import { randomFrom } from '../support/random.ts'
import { exampleCard } from './example-scenes.ts'

/** The outline that the painter reads; undefined where it leaves a path to `readPath`. */
function readByPainter(d: string): readonly number[] | undefined {
  const at = painter().takeInput(d.length + 1)
  new TextEncoder().encodeInto(d, new Uint8Array(painter().memory.buffer, at, d.length))
  const count = painter().readPath(at, d.length)
  if (count < 0) return undefined
  return [...new Float64Array(painter().memory.buffer, painter().outlineAt(), count)]
}

/** The numbers of `readPath`, each part behind the count of its points; undefined for mistakes. */
function read(d: string): readonly number[] | undefined {
  const numbers: number[] = []
  try {
    readPath(d, {
      moveTo: (...point) => void numbers.push(0, ...point),
      lineTo: (...point) => void numbers.push(1, ...point),
      quadraticTo: (...points) => void numbers.push(2, ...points),
      cubicTo: (...points) => void numbers.push(3, ...points),
      close: () => void numbers.push(-1),
    })
    return numbers
  } catch {
    return undefined
  }
}

test('the painter reads the text of every card itself, exactly as other readers of paths do', () => {
  for (const name of ['paper-b', 'hi-paper', 'ar-aurora'])
    for (const layer of exampleCard(name).scene.layers)
      if (layer.kind === 'path') expect(readByPainter(layer.d)).toEqual([...(read(layer.d) ?? [])])
})

test('the painter reads a path exactly as other readers do, or not at all', () => {
  const random = randomFrom(3)
  const commands = 'MmLlHhVvQqTtCcSsAaZz'
  const numbers = [
    '0',
    '7',
    '-12',
    '.5',
    '-.25',
    '3.',
    '+4',
    '123456.789',
    '0.1234567890123',
    '1234567890123456',
    '1e3',
    '-',
  ]
  const separators = ['', ' ', ',', ' , ', '\n']
  let readCount = 0
  for (let i = 0; i < 3000; i++) {
    const d = Array.from({ length: random.below(16) }, () => {
      const letter = random.pick([...commands, '', '', 'e', '~'])
      const count = random.pick([0, 1, 2, 2, 2, 4, 4, 6, 7])
      const words = Array.from({ length: count }, () => `${random.pick(separators)}${random.pick(numbers)}`)
      return letter + words.join(' ')
    }).join('')
    const outline = readByPainter(`M1 2${d}`)
    if (outline === undefined) continue
    readCount++
    expect(outline).toEqual([...(read(`M1 2${d}`) ?? [])])
  }
  expect(readCount).toBeGreaterThan(100)
})
