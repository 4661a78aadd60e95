import type { TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import type { Theme } from '../theme.ts'
import { colorsOf, type FileColors } from './compile-colors.ts'
import { drawingOf } from './compile-drawing.ts'
import { boxesOf } from './compile-layout.ts'
import { defineTheme } from './define-theme.ts'
import { readableColors } from './readable-colors.ts'
import type { Font, ThemeFile } from './theme-file.ts'

/** The theme of a file. In those of others the colours of texts are moved until they can be read. */
export function themeOf(file: ThemeFile, isOurs = false): Theme {
  return defineTheme<FileColors>({
    ...drawingOf(file),
    styles: stylesOf(file.fonts ?? {}),
    boxes: (size, look) => boxesOf(file, size, look),
    colors: (look) => (isOurs ? colorsOf(file, look) : readableColors(file, look)),
  })
}

const usualFonts = {
  eyebrow: { family: 'sans', weight: 600 },
  title: { family: 'sans', weight: 700, spacing: -0.028 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 500 },
} as const satisfies Readonly<Record<string, Font>>

function stylesOf(fonts: NonNullable<ThemeFile['fonts']>): ThemeStyles {
  function style({ family, weight = 400, italic, spacing }: Font): TextStyle {
    return {
      family: family === 'brand' ? 'sans' : family === 'serif' && italic ? 'serif-italic' : family,
      weight,
      ...(spacing !== undefined && { trackingUnits: Math.round(1000 * spacing) }),
    }
  }
  const { eyebrow, title, subtitle, author, domain, numbers, code } = { ...usualFonts, ...fonts }
  return {
    eyebrow: style({ weight: 600, ...eyebrow }),
    title: style({ weight: 700, ...title }),
    subtitle: style({ weight: 400, ...subtitle }),
    author: style({ weight: 600, ...author }),
    domain: style({ weight: 500, ...domain }),
    ...(numbers && { numbers: style({ weight: 700, ...numbers }) }),
    ...(code && { code: style({ weight: 500, ...code }) }),
  }
}
