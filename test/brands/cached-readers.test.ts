import { expect, test } from 'bun:test'
import { cacheReaders, type UploadReaders } from '../../src/brands/read-uploads.ts'

test('an upload is read once while its bytes are held, unless it was refused or its reader failed', async () => {
  const outcomes = [new Error('gone'), { refused: 'the server is busy' }, { key: 'read' }, { key: 'again' }]
  let calls = 0
  async function font() {
    const outcome = outcomes[calls++]
    if (outcome instanceof Error) throw outcome
    return outcome as Awaited<ReturnType<UploadReaders['font']>>
  }
  const unused = () => Promise.reject(new Error('not asked here'))
  const readers = cacheReaders({ font, logo: unused, picture: unused })
  const bytes = new Uint8Array(1)
  expect(await readers.font(bytes).catch(String)).toBe('Error: gone')
  expect(await readers.font(bytes)).toEqual({ refused: 'the server is busy' })
  for (let time = 0; time < 3; time++) expect(await readers.font(bytes)).toMatchObject({ key: 'read' })
  expect(await readers.font(new Uint8Array(1))).toMatchObject({ key: 'again' })
})
