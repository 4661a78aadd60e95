import { type ErrorText, errorName, shorten } from '../kit/error-picture.ts'
import { type BadgeStyle, badgeStyles } from './badge.ts'
import { palette } from './color-names.ts'
import { renderBadge } from './render-badge.ts'

const reasonCharsMax = 64

/** The badge that says what is wrong, in the style and size that were asked for. */
export function errorBadge(query: Readonly<Record<string, unknown>>, text: ErrorText): string {
  const { status, reason } = text
  const { style, scale, idSuffix } = query
  return renderBadge({
    style: isStyle(style) ? style : 'flat',
    label: String(status),
    message: shorten(reason, reasonCharsMax),
    color: palette.red,
    links: [],
    scale: typeof scale === 'number' ? scale : 1,
    idSuffix: typeof idSuffix === 'string' ? idSuffix : '',
    title: errorName(text),
  })
}

function isStyle(style: unknown): style is BadgeStyle {
  return badgeStyles.some((one) => one === style)
}
