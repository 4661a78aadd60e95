import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { signCommand } from '../../src/client/sign-command.ts'
import { createTemporaryAccess, outcome } from '../access/temporary-access.ts'
import { run } from '../store/runtimes.ts'

// Processes start slowly on a busy machine.
setDefaultTimeout(60_000)

const pair = ['--key', 'mk_a', '--secret', 'b'.repeat(64)]

describe('the sign command', () => {
  test('prints a URL that is granted, with HTML and Markdown that show it', async () => {
    const access = createTemporaryAccess()
    access.clock.nowMs = Date.now()
    const { key, secret } = access.keys.create()
    const words = [
      '--key',
      key.id,
      `--secret=${secret}`,
      '--title',
      'Ada & "Bob" [1]',
      '--base',
      'https://mintmark.example',
    ]
    const [url = '', image, meta, markdown] = (await signCommand(words)).split('\n')
    expect(outcome(await access.call(url))).toBe('key')
    const escaped = url.replaceAll('&', '&#38;')
    expect(image).toBe(`<img src="${escaped}" alt="Ada &#38; &#34;Bob&#34; [1]">`)
    const card = /^<meta property="og:image" content="([^"]+)">$/
      .exec(meta ?? '')?.[1]
      ?.replaceAll('&#38;', '&')
    expect(new URL(card ?? '').pathname).toBe('/api/og.png')
    expect(outcome(await access.call(card ?? ''))).toBe('key')
    expect(markdown).toBe(`![Ada & "Bob" \\[1\\]](${url})`)
  })

  test('has head tags for cards alone, and as PNG whatever the format', async () => {
    const lines = await signCommand([...pair, '--title', 'Hello', '--format', 'svg'])
    expect(lines).toMatch(
      /og:image" content="[^"]+\/api\/og\.png\?exp=\d+&#38;key=mk_a&#38;title=Hello&#38;sig=/,
    )
    const badge = await signCommand([...pair, '--path', '/api/transform?kind=badge', '--value', 'ok'])
    expect(badge).not.toContain('og:image')
  })

  test('signs any endpoint, for as long as it is told', async () => {
    const words = [...pair, '--path', '/api/transform?kind=badge', '--value', 'ok', '--days', '2']
    const [url = ''] = (await signCommand(words)).split('\n')
    const { pathname, searchParams } = new URL(url)
    expect([pathname, searchParams.get('kind'), searchParams.get('value')]).toEqual([
      '/api/transform',
      'badge',
      'ok',
    ])
    expect(Math.round((Number(searchParams.get('exp')) - Date.now() / 1000) / 86_400)).toBe(2)
  })

  test.each([
    ['no key', ['--secret', 'x', '--title', 'Hello'], 'sign --key'],
    ['no parameter', pair, 'sign --key'],
    ['no name', [...pair, 'Hello'], 'sign --key'],
    ['no value', [...pair, '--title'], '--title needs a value'],
    ['eleven years', [...pair, '--title', 'Hello', '--days', '4015'], '--days must be'],
    ['no time at all', [...pair, '--title', 'Hello', '--days', '0'], '--days must be'],
  ])('says what is wrong: %s', async (_, words, message) => {
    await expect(signCommand(words)).rejects.toThrow(message)
  })

  test('runs as a program', async () => {
    const output = await run('bun', 'src/main.ts', 'sign', ...pair, '--title', 'Hello')
    expect(output).toContain('http://localhost:3000/api/og?exp=')
  })
})
