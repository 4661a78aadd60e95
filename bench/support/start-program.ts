import { freePort } from '../../test/support/free-port.ts'

/** Runs a server on a free port until it answers. Its log goes nowhere, but it is written. */
export async function startProgram(program: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const child = Bun.spawn(
    [process.execPath, ...program.map((word) => word.replace('{port}', String(port)))],
    {
      env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
      stdout: Bun.file('/dev/null'),
      stderr: 'inherit',
    },
  )
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { url, pid: child.pid, stop: () => child.kill() }
    if (tries > 200) throw new Error(`${program[0]} does not answer`)
    await Bun.sleep(25)
  }
}
