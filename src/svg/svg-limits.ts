/** Limits of a caller's SVG. Logos are far below; the figures are measured in docs/decisions/callers-pictures.md. */
export const svgLimits = {
  elements: 500,
  /** Elements inside each other. */
  depth: 24,
  /** Elements that are drawn once every reference is followed; long paths and many gradient stops count as more. */
  drawn: 1_000,
  /** Groups that are drawn apart before they are laid on what is there, once every reference is followed. */
  layers: 48,
  /** Such groups inside each other. */
  layerDepth: 8,
  stopsPerGradient: 64,
  /** Of all style sheets together; a selector with commas is as many rules. */
  styleRules: 100,
  /** Declarations of style sheets, counted for each element that they may be for. */
  styleDeclarations: 5_000,
  /** Any coordinate, length or factor. */
  number: 1_000_000,
  /** Dashes on all lines together, at the most that their lengths allow. */
  dashes: 20_000,
} as const
