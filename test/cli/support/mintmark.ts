import { runtimeCommands } from '../../support/server.ts'

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
  readonly runtime?: 'bun' | 'deno'
}

/** Runs the program with these words to its end, as a user types them. Its environment is `env` and nothing else of ours. */
export async function mintmark(words: readonly string[], options: RunOptions = {}) {
  const child = startMintmark(words, options)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output, errors, lines: output.trimEnd().split('\n') }
}

export function startMintmark(
  words: readonly string[],
  { env = {}, cwd = '/', input = '', runtime = 'bun' }: RunOptions = {},
) {
  return Bun.spawn([...runtimeCommands[runtime], ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...env },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}
