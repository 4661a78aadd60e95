import { percentDecode } from '../lib/percent-decode.ts'
import { encodingOf } from '../web/charset-labels.ts'
import { headerParameters } from './header-parameters.ts'
import { textOrNull } from './text.ts'

/** What a file is called: by the header that names it, else by its URL, else by its host. */
export const fileName = (
  url: string,
  disposition: string,
): { readonly title: string; readonly source: string } => {
  const parameters = headerParameters(disposition)
  const named =
    baseName(extendedText(parameters.get('filename*'))) ??
    baseName(percentDecoded(parameters.get('filename')))
  if (named !== null) return { title: named, source: 'header:content-disposition' }
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').at(-1)
  return { title: textOrNull(percentDecoded(last)) ?? hostname, source: 'url' }
}

/** Servers name directories and paths of their own machine; only the last part is the file's. */
const baseName = (path: string): string | null => textOrNull(textOrNull(path)?.split(/[\\/]/).at(-1))

/** `utf-8'en'na%C3%AFve.zip` (RFC 8187); empty when it cannot be read, so that the plain name counts. */
const extendedText = (value = ''): string => {
  const [, label = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  const encoding = encodingOf(label)
  if (encoding === null) return ''
  const raw = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(raw, 'latin1'))
  } catch {
    return ''
  }
}

const percentDecoded = (text = ''): string => percentDecode(text) ?? text
