import { words } from '../../lib/words.ts'

/** Font files that are asked together: the first one that has a character draws it. `*` stands for a numbered slice. */
export interface CoverageSource {
  readonly packageName: string
  readonly files: readonly string[]
  /** For bold weights, of a face that is not variable. */
  readonly boldFile?: string
  /** For characters alone that no source before it has. */
  readonly isForRest?: boolean
}

const variable = '@fontsource-variable'
const alphabets = 'latin latin-ext vietnamese cyrillic cyrillic-ext greek'
const moreAlphabets = `${alphabets} greek-ext`

const scripts = (
  'arabic armenian bengali cherokee devanagari ethiopic georgian gujarati gurmukhi hebrew kannada khmer lao ' +
  'malayalam myanmar oriya sinhala tamil telugu thai'
).split(' ')

/** Scripts that few texts have, in variable fonts and in plain ones. */
const rareScripts =
  'adlam balinese canadian-aboriginal javanese lisu meetei-mayek ol-chiki sundanese syriac thaana'.split(' ')
const plainScripts = ['mongolian', 'nko', 'tifinagh']

/** @param ending the axes and the style of the files. */
function subsets(packageName: string, names: string, ending = 'wght-normal', scope = variable) {
  return {
    packageName: `${scope}/${packageName}`,
    files: names.split(' ').map((name) => `files/${packageName}-${name}-${ending}.woff2`),
  }
}

function serif(style: string): CoverageSource[] {
  return [
    subsets('newsreader', 'latin latin-ext vietnamese', `opsz-${style}`),
    subsets('source-serif-4', alphabets, `opsz-${style}`),
  ]
}

/** Faces that have nearly every letter and mark of the Latin, Greek and Cyrillic scripts. */
function wide(name: string, bold: string): CoverageSource[] {
  return [{ packageName: 'dejavu-fonts-ttf', files: [`ttf/${name}.ttf`], boldFile: `ttf/${bold}.ttf` }]
}

/** Source fonts of the coverage table, by the name under which the engine asks. */
export const fontSources: Readonly<Record<string, readonly CoverageSource[]>> = {
  sans: [{ packageName: 'inter-ui', files: ['variable/InterVariable.woff2'] }],
  serif: serif('normal'),
  'serif-italic': serif('italic'),
  mono: [subsets('jetbrains-mono', alphabets)],
  'more-serif': [subsets('noto-serif', `${moreAlphabets} math`)],
  'more-serif-italic': [subsets('noto-serif', `${moreAlphabets} math`, 'wght-italic')],
  'more-mono': [subsets('noto-sans-mono', moreAlphabets)],
  'serif-scripts': [
    ...words('bengali devanagari hebrew khmer tamil thai').map((script) =>
      subsets(`noto-serif-${script}`, script),
    ),
    subsets('noto-naskh-arabic', 'arabic'),
  ],
  scripts: scripts.map((script) => subsets(`noto-sans-${script}`, script)),
  symbols: [
    subsets('noto-sans-symbols', 'symbols'),
    subsets('noto-sans-symbols-2', 'symbols math braille mayan-numerals', '400-normal', '@fontsource'),
    subsets('noto-sans-math', 'latin', '400-normal', '@fontsource'),
  ],
  ja: [subsets('noto-sans-jp', '*')],
  sc: [subsets('noto-sans-sc', '*')],
  tc: [subsets('noto-sans-tc', '*')],
  ko: [subsets('noto-sans-kr', '*')],
  'serif-ja': [subsets('noto-serif-jp', '*')],
  'serif-sc': [subsets('noto-serif-sc', '*')],
  'serif-tc': [subsets('noto-serif-tc', '*')],
  'serif-ko': [subsets('noto-serif-kr', '*')],
  rare: [
    ...rareScripts.map((script) => subsets(`noto-sans-${script}`, script)),
    ...plainScripts.map((script) => subsets(`noto-sans-${script}`, script, '400-normal', '@fontsource')),
    subsets('noto-serif-tibetan', 'tibetan'),
    ...['Chakma', 'Yi'].map((script) => ({
      packageName: `@expo-google-fonts/noto-sans-${script.toLowerCase()}`,
      files: [`400Regular/NotoSans${script}_400Regular.ttf`],
    })),
    { ...subsets('noto-sans-hk', '*'), isForRest: true },
  ],
  'wide-sans': wide('DejaVuSans', 'DejaVuSans-Bold'),
  'wide-serif': wide('DejaVuSerif', 'DejaVuSerif-Bold'),
  'wide-serif-italic': wide('DejaVuSerif-Italic', 'DejaVuSerif-BoldItalic'),
  'wide-mono': wide('DejaVuSansMono', 'DejaVuSansMono-Bold'),
}
