/** A script of ours in a process of its own, and the first line that it says. */
export async function startChild(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = Bun.spawn([process.execPath, script, ...args], {
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, ...env },
  })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${script} ended before it said anything`)
    text += decoder.decode(value, { stream: true })
  }
  const rest = drain(reader)
  return {
    line: text.slice(0, text.indexOf('\n')),
    pid: child.pid,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await child.exited
      await rest
    },
  }
}

/** Nobody reads further, but the pipe must not fill up. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
