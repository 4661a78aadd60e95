export function mediaType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : ''
}

export function isHtml(contentType: string): boolean {
  return ['', 'text/html', 'application/xhtml+xml'].includes(mediaType(contentType))
}
