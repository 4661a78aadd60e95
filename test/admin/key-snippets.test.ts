import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { keySnippets } from '../../admin/keys/secret-note.tsx'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { createUserProject } from '../support/user-project.ts'

const server = started(startService)

test('what the operator is shown beside a new secret works when pasted, and all of it signs the same address', async () => {
  const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
  const snippets = await keySnippets(server.url, id, secret)
  const { folder, run } = createUserProject()
  try {
    const [, address = ''] = /<img src="([^"]+)"/.exec(snippets.HTML.join('\n')) ?? []
    expect((await fetch(address)).headers.get('x-auth-mode')).toBe('key')
    expect(snippets.HTML.at(-1)).toBe(`<meta property="og:image" content="${address}">`)
    expect(await run(['sh', '-c', snippets.Shell.join('\n')])).toBe(`${address}\n`)
    expect(await run(['python3', '-c', snippets.Python.join('\n')])).toBe(`${address}\n`)
    await run(['sh', '-c', snippets.curl.join('\n')])
    expect(await Bun.file(`${folder}/card.svg`).text()).toStartWith('<svg ')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
