import type { PageHead, PageValidators } from './fetched-page.ts'

/** The validators of an answer that are short enough to be kept and sent back: a site may send 64 KiB of headers. */
export function keptValidators({ headers }: Pick<PageHead, 'headers'>): PageValidators {
  return { etag: kept(headers['etag']), lastModified: kept(headers['last-modified']) }
}

function kept(header: string | undefined): string | undefined {
  return header !== undefined && /^[ -~]{1,200}$/.test(header) ? header : undefined
}
