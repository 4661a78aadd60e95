/** Whether something becomes true in time. */
export async function becomesTrue(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    if (await check()) return true
    if (performance.now() > deadlineMs) return false
    await Bun.sleep(100)
  }
}
