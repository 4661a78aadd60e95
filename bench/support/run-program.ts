/** Runs a program to its end: CPU time of all its threads, from the start of the process on, and its peak memory. */
export async function runProgram(words: readonly string[], runtime = process.execPath) {
  const startMs = performance.now()
  const child = Bun.spawn([runtime, ...words], { stdout: 'ignore', stderr: 'inherit' })
  const code = await child.exited
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  const wallMs = performance.now() - startMs
  const { cpuTime, maxRSS = 0 } = child.resourceUsage() ?? {}
  return { wallMs, cpuMs: Number(cpuTime?.total ?? 0) / 1_000, memoryMb: maxRSS / 2 ** 20 }
}
