import { initials } from '../../text/initials.ts'
import { hexContrast } from '../text-color.ts'
import type { Avatar } from './avatar.ts'
import { avatarColors } from './colors.ts'
import type { AvatarQuery } from './query.ts'

/** The avatar that a valid query asks for. */
export function avatarOf(query: AvatarQuery): Avatar {
  const { name, size, lang, title, bold } = query
  const fontScale = query['font-size']
  return {
    name,
    initials: initials(name, {
      uppercase: query.uppercase,
      ...(query.length !== 'auto' && { length: Number(query.length) }),
      ...(lang !== undefined && { lang }),
    }),
    sizePx: size,
    style: query.style,
    seed: query.seed ?? name,
    shape: query.shape ?? (query.rounded === false ? 'square' : 'circle'),
    ...avatarColors(query.seed ?? name, chosen(query.background), chosen(query.color)),
    bold,
    drawing: query.text === 'text' ? 'text' : 'path',
    ...(fontScale !== undefined && { fontScale }),
    ...(lang !== undefined && { lang }),
    ...(title !== undefined && { title }),
  }
}

/** The avatar's facts, for callers that draw it themselves. */
export function avatarJson({ name, initials, background, color, sizePx, shape, style }: Avatar) {
  const contrast = Math.floor(hexContrast(background, color) * 100) / 100
  const glyph = style === 'shapes' ? 'shapes' : initials === '' ? 'person' : 'initials'
  return { kind: 'avatar', name, initials, glyph, background, color, contrast, size: sizePx, shape }
}

function chosen(color: string | undefined): string | undefined {
  return color === 'auto' ? undefined : color
}
