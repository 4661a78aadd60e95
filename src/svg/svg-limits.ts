/** Limits of the work to read and to draw an SVG. */
export interface SvgLimits {
  readonly elements: number
  /** Elements inside each other. */
  readonly depth: number
  /** Elements that are drawn once every reference is followed; long paths and many gradient stops count as more. */
  readonly drawn: number
  /** Groups that are drawn apart before they are laid on what is there, once every reference is followed. */
  readonly layers: number
  /** Such groups inside each other. */
  readonly layerDepth: number
  readonly stopsPerGradient: number
  /** Rules of all style sheets together; a selector with commas counts as several rules. */
  readonly styleRules: number
  /** Declarations of style sheets, counted for each element that they may be for. */
  readonly styleDeclarations: number
  /** Any coordinate, length or factor. */
  readonly number: number
  /** Dashes on all lines together, at the most that their lengths allow. */
  readonly dashes: number
}

/** Limits of an SVG of a caller's. Logos are far below; the figures are measured in docs/decisions/callers-pictures.md. */
export const svgLimits: SvgLimits = {
  elements: 500,
  depth: 24,
  drawn: 1_000,
  layers: 48,
  layerDepth: 8,
  stopsPerGradient: 64,
  styleRules: 100,
  styleDeclarations: 5_000,
  number: 1_000_000,
  dashes: 20_000,
}
