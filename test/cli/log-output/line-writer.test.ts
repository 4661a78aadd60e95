import { expect, test } from 'bun:test'
import { createLineWriter } from '../../../src/cli/log-output/line-writer.ts'

type Answer = number | Promise<number> | 'EAGAIN' | 'ENOSPC'

/** A sink that takes everything, but for the writes that are answered otherwise. */
function createSink(atomicBytesMax = 64) {
  const answers: Answer[] = []
  let text = ''
  return {
    answers,
    text: () => text,
    atomicBytesMax,
    write(bytes: Uint8Array): number | Promise<number> {
      const answer = answers.shift() ?? bytes.length
      if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer })
      if (typeof answer === 'number') text += Buffer.from(bytes.subarray(0, answer)).toString()
      else
        void answer.then(
          (count) => {
            text += Buffer.from(bytes.subarray(0, count)).toString()
          },
          () => {},
        )
      return answer
    },
  }
}

function lostLine(count: number) {
  return `lost ${count}`
}
function fault(code: string) {
  return Object.assign(new Error(code), { code })
}

test('what cannot be written is counted, and the next line that can be written is followed by the count', () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine })
  sink.answers.push('ENOSPC', 'ENOSPC')
  writer.write('a\nb\n')
  writer.write('c\n')
  expect([sink.text(), writer.lost()]).toEqual(['', 3])
  writer.write('d\n')
  writer.write('e\n')
  expect([sink.text(), writer.lost()]).toEqual(['d\nlost 3\ne\n', 3])
})

test('the line about lost ones is said again when it could not be written itself, and is not counted', () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine })
  sink.answers.push('ENOSPC', 2, 'ENOSPC')
  writer.write('a\n')
  writer.write('b\n')
  writer.write('c\n')
  expect([sink.text(), writer.lost()]).toEqual(['b\nc\nlost 1\n', 1])
})

test('a line that an error cut short ends before the next one begins', () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine })
  sink.answers.push(3, 'ENOSPC', 'ENOSPC')
  writer.write('abcdef\n')
  writer.write('lost too\n')
  writer.write('whole\n')
  expect(sink.text()).toBe('abc\nwhole\nlost 2\n')
})

test('a reader that is slow gets every line later, up to the bound of what waits', async () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine, waitingBytesMax: 30, retryMs: 1 })
  sink.answers.push('EAGAIN')
  for (let n = 0; n < 20; n++) writer.write(`line ${n % 10}\n`)
  expect(sink.text()).toBe('')
  await writer.drain(10_000)
  const lines = sink.text().split('\n')
  expect(lines.slice(0, 4)).toEqual(['line 0', 'line 1', 'line 2', 'line 3'])
  // One block is in the hand of the writer, the others wait.
  expect(lines.at(-2)).toBe(`lost ${writer.lost()}`)
  expect(lines.length - 2 + writer.lost()).toBe(20)
})

test('pieces end where lines end, so that those of several processes do not mix', () => {
  const sink = createSink(16)
  const pieces: string[] = []
  const writer = createLineWriter({
    sink: {
      ...sink,
      write: (bytes) => {
        pieces.push(Buffer.from(bytes).toString())
        return bytes.length
      },
    },
    lostLine,
  })
  writer.write('12345\n12345\n12345\n')
  writer.write(`${'long'.repeat(10)}\nshort\n`)
  expect(pieces).toEqual(['12345\n12345\n', '12345\n', `${'long'.repeat(10)}\n`, 'short\n'])
})

test('one write is under way at a time, and one that fails later loses what waited', async () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine })
  const first = Promise.withResolvers<number>()
  const second = Promise.withResolvers<number>()
  sink.answers.push(first.promise, second.promise)
  writer.write('a\n')
  writer.write('b\n')
  writer.write('c\n')
  expect(sink.answers).toHaveLength(1)
  first.resolve(2)
  await Bun.sleep(1)
  second.reject(fault('EPIPE'))
  await writer.drain(10_000)
  expect([sink.text(), writer.lost()]).toEqual(['a\n', 2])
  writer.write('d\n')
  expect(sink.text()).toBe('a\nd\nlost 2\n')
})

test('what never ends does not hold the exit', async () => {
  const sink = createSink()
  const writer = createLineWriter({ sink, lostLine })
  sink.answers.push(new Promise(() => {}))
  writer.write('a\n')
  await writer.drain(20)
  expect(sink.text()).toBe('')
})
