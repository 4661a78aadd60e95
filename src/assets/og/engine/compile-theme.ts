import type { TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import type { CardColors, Theme } from '../theme.ts'
import { colorsOf, type FileColors } from './compile-colors.ts'
import { drawingOf } from './compile-drawing.ts'
import { boxesOf } from './compile-layout.ts'
import { defineTheme } from './define-theme.ts'
import type { ThemeContract } from './theme-contract.ts'
import type { Font, ThemeFile } from './theme-file.ts'

type Drawing<Colors extends CardColors> = Omit<ThemeContract<Colors>, 'styles' | 'boxes'>

/** A theme of a file, with what its drawing needs beyond that. */
export function themeOf(json: unknown, drawing: Partial<Omit<Drawing<FileColors>, 'colors'>> = {}): Theme {
  const file = json as ThemeFile
  return paintedTheme<FileColors>(file, {
    ...drawingOf(file),
    ...drawing,
    colors: (look) => colorsOf(file, look),
  })
}

/** A theme whose fonts and boxes are in a file, with colours of its own. */
export function paintedTheme<Colors extends CardColors>(json: unknown, drawing: Drawing<Colors>): Theme {
  const file = json as ThemeFile
  return defineTheme({
    ...drawing,
    styles: stylesOf(file.fonts),
    boxes: (size, look) => boxesOf(file, size, look),
  })
}

function stylesOf({ eyebrow, title, subtitle, author, domain }: ThemeFile['fonts']): ThemeStyles {
  function style({ family, weight, italic, spacing }: Font): TextStyle {
    return {
      family: family === 'serif' && italic ? 'serif-italic' : family,
      weight,
      ...(spacing !== undefined && { trackingUnits: Math.round(1000 * spacing) }),
    }
  }
  return {
    eyebrow: style(eyebrow),
    title: style(title),
    subtitle: style(subtitle),
    author: style(author),
    domain: style(domain),
  }
}
