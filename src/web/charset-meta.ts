import { encodingOf } from './charset-labels.ts'

/** Returns the encoding that an XML declaration or meta element declares, by the rules of the HTML Standard. */
export function metaEncoding(markup: string): string | undefined {
  const xml = /^<\?xml[^>]{0,200}?encoding\s{0,32}=\s{0,32}["']([^"']{1,64})["']/i.exec(
    markup.trimStart(),
  )?.[1]
  const labels = [...withoutComments(markup).matchAll(metaCharset)].map((match) => match[1])
  const encoding = [...labels, xml].map(encodingOf).find((name) => name !== undefined)
  if (encoding?.startsWith('utf-16')) return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

/** Every repetition is bounded, so that no page can make a search slow. */
const metaCharset = /<meta\s[^>]{0,512}?charset\s{0,32}=[\s"']{0,32}([^\s"'/>;]{1,64})/gi

function withoutComments(markup: string): string {
  if (!markup.includes('<!--')) return markup
  return markup
    .split('<!--')
    .map((part, index) => (index === 0 ? part : part.slice(Math.max(0, part.indexOf('-->')))))
    .join(' ')
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
