/** Result of a check. Only `bad` makes the command fail: a server would not start, or would not serve. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'bad'
  /** One line for the operator: what was found, and what helps. */
  readonly text: string
}

export function ok(text: string): Finding {
  return { state: 'ok', text }
}

export function warning(text: string): Finding {
  return { state: 'warning', text }
}

export function bad(text: string): Finding {
  return { state: 'bad', text }
}
