import { errorCodes, Problem } from '../errors.ts'
import { acceptedTypes } from '../lib/accepted-types.ts'
import { escapeXml } from '../svg/escape-xml.ts'
import type { RequestContext } from './request-context.ts'
import { inertSvg } from './response-headers.ts'

/** The response to an error. An error that is no `Problem` is a bug: the caller learns nothing of it but the request id. */
export function problemResponse(
  error: unknown,
  context: Pick<RequestContext, 'request' | 'baseUrl'>,
): Response {
  const problem = error instanceof Problem ? error : new Problem('internal', errorCodes.internal.remedy)
  const headers = new Headers({ 'cache-control': 'no-store', ...problem.headers })
  if (problem.status === 400 && wantsPicture(context.request)) {
    headers.set('content-type', 'image/svg+xml')
    headers.set('content-security-policy', inertSvg)
    headers.set('cross-origin-resource-policy', 'cross-origin')
    headers.set('vary', 'Accept')
    return new Response(errorPicture(problem.message), { status: 400, headers })
  }
  headers.set('content-type', 'application/problem+json')
  return new Response(JSON.stringify(problem.toJSON(context.baseUrl)), { status: problem.status, headers })
}

/** Whether the request comes from an `<img>`, which cannot show JSON. */
function wantsPicture(request: Request): boolean {
  const types = acceptedTypes(request.headers.get('accept'))
  return types.some((type) => type.startsWith('image/')) && !types.includes('application/json')
}

const lineCharsMax = 64
const linesMax = 6

function errorPicture(message: string): string {
  const lines = wrap(message).slice(0, linesMax)
  const height = 56 + 22 * lines.length
  const text = lines.map((line, index) => `<text x="20" y="${64 + 22 * index}">${escapeXml(line)}</text>`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="${height}" viewBox="0 0 600 ${height}" role="img">`,
    `<title>${escapeXml(message)}</title>`,
    `<rect width="600" height="${height}" rx="8" fill="#fef2f2"/>`,
    '<g font-family="ui-sans-serif,system-ui,sans-serif" font-size="15" fill="#7f1d1d">',
    '<text x="20" y="34" font-weight="700">This picture could not be made</text>',
    ...text,
    '</g></svg>',
  ].join('')
}

/** A word that is longer than a line stands alone. */
function wrap(message: string): string[] {
  const [first = '', ...words] = message.split(' ')
  const lines = [first]
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length > lineCharsMax) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines
}
