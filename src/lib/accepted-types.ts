/** The media types that an `Accept` header names and does not refuse (`q=0`), in lower case and without parameters. */
export function acceptedTypes(accept: string | null): readonly string[] {
  if (accept === null) return []
  return accept
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => refusal.test(parameter)))
    .map(([type = '']) => type)
}

const refusal = /^q\s*=\s*0(?:\.0*)?$/
