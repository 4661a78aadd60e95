/** Runs `action` at the first call and shares its outcome with all later ones. */
export function runOnce(action: () => Promise<void>): () => Promise<void> {
  let outcome: Promise<void> | undefined
  return () => {
    outcome ??= action()
    return outcome
  }
}
