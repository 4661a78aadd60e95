import { type ErrorText, errorName, shorten } from '../kit/error-picture.ts'
import { palette } from './color-names.ts'
import { renderBadge } from './render-badge.ts'

const reasonCharsMax = 64

export function errorBadge(text: ErrorText): string {
  const { status, reason } = text
  return renderBadge({
    style: 'flat',
    label: String(status),
    message: shorten(reason, reasonCharsMax),
    color: palette.red,
    links: [],
    scale: 1,
    idSuffix: '',
    title: errorName(text),
  })
}
