declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    characters: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Uint8Array>
}
