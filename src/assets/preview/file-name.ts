import { percentDecode } from '../../lib/percent-decode.ts'
import { encodingOf } from '../../web/charset-labels.ts'
import { textOrNull } from './clean-text.ts'
import { headerParameters } from './header-parameters.ts'

export function fileName(
  url: string,
  disposition: string,
): { readonly title: string; readonly source: string } {
  const parameters = headerParameters(disposition)
  const named =
    baseName(extendedText(parameters.get('filename*'))) ??
    baseName(percentDecoded(parameters.get('filename')))
  if (named !== null) return { title: named, source: 'header:content-disposition' }
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').at(-1)
  return { title: textOrNull(percentDecoded(last)) ?? hostname, source: 'url' }
}

function baseName(path: string): string | null {
  return textOrNull(textOrNull(path)?.split(/[\\/]/).at(-1))
}

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
