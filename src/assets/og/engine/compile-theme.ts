import type { TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import type { Look } from '../theme.ts'
import { colorsOf, type FileColors } from './compile-colors.ts'
import { drawingOf } from './compile-drawing.ts'
import { boxesOf } from './compile-layout.ts'
import { readableColors } from './readable-colors.ts'
import type { Font, ThemeFile } from './theme-file.ts'

export type ThemeContract = ReturnType<typeof contractOf>

/** Everything that a theme file says, as the engine draws it. */
export function contractOf(file: ThemeFile, isOurs: boolean) {
  return {
    ...drawingOf(file),
    styles: stylesOf(file.fonts),
    boxes: (size: CardSize, look: Look) => boxesOf(file, size, look),
    colors: (look: Look): FileColors => (isOurs ? colorsOf(file, look) : readableColors(file, look)),
  }
}

const usualFonts = {
  eyebrow: { family: 'sans' },
  title: { family: 'sans', spacing: -0.028 },
  subtitle: { family: 'sans' },
  author: { family: 'sans' },
  domain: { family: 'sans' },
} as const satisfies ThemeFile['fonts']

const usualWeights: Readonly<Record<string, number>> = {
  eyebrow: 600,
  title: 700,
  author: 600,
  domain: 500,
  numbers: 700,
  code: 500,
}

function stylesOf(fonts: ThemeFile['fonts']): ThemeStyles {
  const styles = Object.entries<Font>({ ...usualFonts, ...fonts }).map(([role, font]) => {
    const { family, weight = usualWeights[role] ?? 400, italic, spacing } = font
    const style: TextStyle = {
      family: family === 'brand' ? 'sans' : family === 'serif' && italic ? 'serif-italic' : family,
      weight,
      ...(spacing !== undefined && { trackingUnits: Math.round(1000 * spacing) }),
    }
    return [role, style]
  })
  return Object.fromEntries(styles)
}
