import { textOf, type XmlElement } from './xml-tree.ts'

export interface VisibleText {
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly fill: string
  /** The rectangle behind its centre. */
  readonly background: string
}

interface Rectangle {
  readonly left: number
  readonly right: number
  readonly fill: string
}

/** Every text that is not hidden from readers, with its colour and the colour behind it. */
export function visibleTexts(root: XmlElement): VisibleText[] {
  const rectangles: Rectangle[] = []
  const texts: VisibleText[] = []
  visit(root, '#000000', 1)
  return texts

  function visit(node: XmlElement, inheritedFill: string, inheritedScale: number): void {
    const { attributes } = node
    const fill = attributes['fill'] ?? inheritedFill
    const scale = /scale\(([\d.]+)\)/.exec(attributes['transform'] ?? '')?.[1]
    const unit = scale === undefined ? inheritedScale : Number(scale)
    if (node.name === 'rect' && fill.startsWith('#')) {
      const left = Number(attributes['x'] ?? 0)
      rectangles.push({ left, right: left + Number(attributes['width']), fill })
    }
    if (node.name === 'text' && attributes['aria-hidden'] !== 'true') {
      const x = Number(attributes['x']) * unit
      const background = rectangles.findLast(({ left, right }) => x >= left && x <= right)?.fill
      if (background === undefined) throw new Error(`nothing behind ${textOf(node)}`)
      texts.push({ text: textOf(node), attributes, fill, background })
    }
    if (
      node.name === 'clipPath' ||
      (node.name === 'g' && attributes['aria-hidden'] === 'true' && attributes['fill'] !== '#333333')
    )
      return
    for (const child of node.children) if (typeof child !== 'string') visit(child, fill, unit)
  }
}
