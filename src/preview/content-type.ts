/** `text/html` of `text/html; charset=utf-8`, lower case; empty when the header is missing or nonsense. */
export const mediaType = (contentType: string): string => {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : ''
}

/** A page without a type is taken for HTML: that is what sites that forget the header serve. */
export const isHtml = (contentType: string): boolean =>
  ['', 'text/html', 'application/xhtml+xml'].includes(mediaType(contentType))
