import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import { page } from './cards/site.ts'
import cases from './links.json' with { type: 'json' }
import { mintmark } from './support/mintmark.ts'

// Commands share a process, and wait for one another on a busy machine.
const directory = temporaryDirectory()
const old = new Date('2020-01-01')
let made = 0

/** A folder in which links lead to files of somebody else. */
function folderWith(links: Readonly<Record<string, string>>) {
  made += 1
  const around = join(directory, String(made))
  const [folder, outside] = [join(around, 'given'), join(around, 'outside')]
  const files = {
    'given/index.html': page('Hello', '<link rel="canonical" href="https://a.example/">'),
    'given/index.html.gz': gzipSync('old'),
    'outside/page.html': page('Outside', '<link rel="canonical" href="https://a.example/page.html">'),
    'outside/0123456789abcdef0123456789abcdef.png': 'a picture of somebody',
    'outside/0123456789012345678901.png': 'another',
    'outside/notes': '{"unusedSince":{"0123456789abcdef0123456789abcdef.png":"2020-01-01"}}',
    'outside/1': 'one',
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(around, name)), { recursive: true })
    writeFileSync(join(around, name), content)
    utimesSync(join(around, name), old, old)
  }
  function link(more: Readonly<Record<string, string>>): void {
    for (const [name, target] of Object.entries(more)) {
      rmSync(join(folder, name), { force: true })
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      symlinkSync(join(outside, target), join(folder, name))
    }
  }
  link(links)
  return { folder, around, link, outside: () => contentsOf(outside) }
}

function contentsOf(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')])
}

describe('cards touches nothing outside of its folder, where a link is', () => {
  const places = cases.places as unknown as readonly [
    string,
    Readonly<Record<string, string>>,
    readonly string[],
  ][]
  test.each(sampleOf(places, 4))('%s', async (_, links, words) => {
    const { folder, around, outside } = folderWith(links)
    const before = outside()
    const { exitCode, errors } = await mintmark(['cards', folder, '--cache', join(around, 'cache'), ...words])
    expect(outside()).toEqual(before)
    const isOnTheWay = 'og' in links || 'assets' in links
    expect([exitCode, errors]).toEqual(
      isOnTheWay ? [1, expect.stringContaining('is a symbolic link')] : [0, expect.any(String)],
    )
  })

  slowTest('a picture', async () => {
    const { folder, around, link, outside } = folderWith({})
    const words = ['cards', folder, '--cache', join(around, 'cache')]
    await mintmark(words)
    const [name = ''] = readdirSync(join(folder, 'og')).filter((each) => each.endsWith('.png'))
    link({ [`og/${name}`]: '1' })
    const before = outside()
    expect((await mintmark(words)).exitCode).toBe(0)
    expect((await mintmark([...words, '--theme', 'paper', '--prune'])).exitCode).toBe(0)
    expect(outside()).toEqual(before)
  })

  test('a cache that has files of others', async () => {
    const { folder, around, outside } = folderWith({})
    const kept = join(around, 'pictures')
    mkdirSync(kept)
    for (const name of cases.pictures) {
      writeFileSync(join(kept, name), 'old')
      utimesSync(join(kept, name), old, old)
    }
    const before = outside()
    await mintmark(['cards', folder, '--cache', around])
    expect(outside()).toEqual(before)
    const left = readdirSync(kept).filter((name) => readFileSync(join(kept, name), 'utf8') === 'old')
    // The third has a name as the cache gives them, and nobody has used it for long.
    expect(left.toSorted()).toEqual(['0123456789abcdef0123456789abcdef.png', 'holiday.png'])
  })
})

describe('render touches nothing outside of its directory, where a link is', () => {
  const places = cases.other as unknown as readonly [string, Readonly<Record<string, string>>, boolean][]
  test.each(sampleOf(places, 3))('%s', async (_, links, isDrawn) => {
    const { folder, around, outside } = folderWith(links)
    writeFileSync(join(around, 'rows.jsonl'), '{"title":"A","slug":"1","format":"png"}\n')
    const before = outside()
    const words = ['--from', join(around, 'rows.jsonl'), '--out', folder, '--name', 'posts/{slug}.png']
    const { exitCode, errors } = await mintmark(['render', ...words])
    expect(outside()).toEqual(before)
    expect([exitCode, errors]).toEqual(
      isDrawn ? [0, expect.any(String)] : [1, expect.stringContaining('is a symbolic link')],
    )
  })
})
