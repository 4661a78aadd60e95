import { percentDecode } from '../../lib/percent-decode.ts'
import { encodingOf } from '../../web/charset-labels.ts'
import { nonEmptyText } from './clean-text.ts'
import { headerParameters } from './header-parameters.ts'

/** The name of a file from Content-Disposition (RFC 6266), else from its URL, else the host name. */
export function fileName(
  url: string,
  disposition: string,
): { readonly title: string; readonly source: string } {
  const parameters = headerParameters(disposition)
  const declared =
    baseName(extendedText(parameters.get('filename*'))) ??
    baseName(percentDecoded(parameters.get('filename')))
  if (declared !== undefined) return { title: declared, source: 'header:content-disposition' }
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').at(-1)
  return { title: nonEmptyText(percentDecoded(last)) ?? hostname, source: 'url' }
}

function baseName(path: string): string | undefined {
  return nonEmptyText(nonEmptyText(path)?.split(/[\\/]/).at(-1))
}

/** Decodes a value such as `UTF-8'en'%e2%82%ac` (RFC 8187). */
function extendedText(value = ''): string {
  const [, label = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  const encoding = encodingOf(label)
  if (encoding === undefined) return ''
  const raw = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(raw, 'latin1'))
  } catch {
    return ''
  }
}

function percentDecoded(text = ''): string {
  return percentDecode(text) ?? text
}
