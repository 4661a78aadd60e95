/** Font files that are asked together: the first one that has a character draws it. `*` stands for a numbered slice. */
export interface FontSource {
  readonly packageName: string
  readonly files: readonly string[]
}

const variable = '@fontsource-variable'

const scripts = (
  'arabic armenian bengali cherokee devanagari ethiopic georgian gujarati gurmukhi hebrew kannada khmer lao ' +
  'malayalam myanmar oriya sinhala tamil telugu thai'
).split(' ')

function subsets(packageName: string, names: string, ending: string): FontSource {
  return {
    packageName: `${variable}/${packageName}`,
    files: names.split(' ').map((name) => `files/${packageName}-${name}-${ending}.woff2`),
  }
}

function staticSubsets(packageName: string, names: string): FontSource {
  return {
    packageName: `@fontsource/${packageName}`,
    files: names.split(' ').map((name) => `files/${packageName}-${name}-400-normal.woff2`),
  }
}

function serif(style: string): FontSource[] {
  return [
    subsets('newsreader', 'latin latin-ext vietnamese', `opsz-${style}`),
    subsets('source-serif-4', 'latin latin-ext vietnamese cyrillic cyrillic-ext greek', `opsz-${style}`),
  ]
}

/** What the coverage table is built from, by the name under which the engine asks. */
export const fontSources: Readonly<Record<string, readonly FontSource[]>> = {
  sans: [{ packageName: 'inter-ui', files: ['variable/InterVariable.woff2'] }],
  serif: serif('normal'),
  'serif-italic': serif('italic'),
  mono: [subsets('jetbrains-mono', 'latin latin-ext vietnamese cyrillic cyrillic-ext greek', 'wght-normal')],
  scripts: scripts.map((script) => subsets(`noto-sans-${script}`, script, 'wght-normal')),
  symbols: [
    subsets('noto-sans-symbols', 'symbols', 'wght-normal'),
    staticSubsets('noto-sans-symbols-2', 'symbols math braille mayan-numerals'),
    { packageName: '@fontsource/noto-sans-math', files: ['files/noto-sans-math-latin-400-normal.woff2'] },
  ],
  ja: [subsets('noto-sans-jp', '*', 'wght-normal')],
  sc: [subsets('noto-sans-sc', '*', 'wght-normal')],
  tc: [subsets('noto-sans-tc', '*', 'wght-normal')],
  ko: [subsets('noto-sans-kr', '*', 'wght-normal')],
}
