import { expect, test } from 'bun:test'
import { createLog, type LogLevel } from '../../src/lib/log.ts'

function logOf(level: LogLevel) {
  const written: string[] = []
  const log = createLog({ level, write: (lines) => written.push(lines), now: () => 0, delayMs: 5 })
  return {
    log,
    written,
    entries: () =>
      written
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

test('a line is one JSON object, whatever it holds', () => {
  const { log, entries } = logOf('info')
  log.info('two\nlines "quoted"', { path: '/\n"', missing: undefined })
  log.info('bare')
  log.flush()
  expect(entries()).toEqual([
    { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'two\nlines "quoted"', path: '/\n"' },
    { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'bare' },
  ])
})

test('a line that is given in parts is one line, in its turn', () => {
  const { log, entries } = logOf('info')
  log.info('before')
  log.line('info', '"message":"parts",', '"path":', JSON.stringify('/ä"'), '', ',"status":', '200')
  log.line('debug', '"message":"unseen"')
  log.warn('after')
  log.flush()
  const time = '1970-01-01T00:00:00.000Z'
  expect(entries()).toEqual([
    { time, level: 'info', message: 'before' },
    { time, level: 'info', message: 'parts', path: '/ä"', status: 200 },
    { time, level: 'warn', message: 'after' },
  ])
})

test('lines below the level are not written', () => {
  const { log, entries } = logOf('warn')
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
  log.flush()
  expect(entries().map(({ message }) => message)).toEqual(['warn', 'error'])
})

test('lines are written together, and an error at once', async () => {
  const { log, written } = logOf('info')
  log.info('one')
  log.info('two')
  expect(written).toHaveLength(0)
  log.error('three')
  expect(written).toHaveLength(1)
  log.info('four')
  while (written.length < 2) await Bun.sleep(1)
  expect(written[1]).toContain('four')
})

test('logging never throws, whatever its fields hold and wherever its lines go', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const { log, entries } = logOf('info')
  log.info('amount', { micros: 10n })
  log.info('a circle', { circle })
  log.flush()
  expect(entries()).toMatchObject([{ message: 'amount', micros: '10' }, { message: 'a circle' }])
  const broken = createLog({
    level: 'info',
    write: () => {
      throw new Error('no space left on device')
    },
    now: () => 0,
  })
  broken.error('told to nobody')
})
