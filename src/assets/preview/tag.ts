import { SubstringMap } from './substring-map.ts'

/** How elements of one name are parsed. */
export interface Tag {
  readonly name: string
  readonly isVoid: boolean
  readonly isForeign: boolean
  /** Its text has no character references. */
  readonly isRaw: boolean
  readonly closesParagraph: boolean
  /** How many elements of this name are open now. */
  open: number
}

export function tagOf(name: string): Tag {
  return {
    name,
    isVoid: voidElements.has(name),
    isForeign: name === 'svg' || name === 'math',
    isRaw: rawTextElements.has(name),
    closesParagraph: paragraphClosers.has(name),
    open: 0,
  }
}

const voidElements: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input link meta param source track wbr'.split(' '),
)

const rawTextElements: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style xmp'.split(' '),
)

/** The end tag of a paragraph may be missing before these. */
const paragraphClosers: ReadonlySet<string> = new Set(
  'address article aside blockquote dialog div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)

/** The attributes that are kept; all others are skipped. */
export const attributeNames = new SubstringMap<string>(64)
for (const name of 'class content data-lazy-src data-original data-src data-srcset datetime dir height href hreflang http-equiv id itemprop itemscope itemtype lang name poster property pubdate rel sizes src srcset title type value width alt xml:lang'.split(
  ' ',
))
  attributeNames.add(name, name)
