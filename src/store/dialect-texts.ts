/** The texts of statements that differ between databases. All others are written once, beside their table. */
export interface DialectTexts {
  /** The column that counts the rows of `keys` and `charges` as they were inserted. */
  readonly rowNumber: string
  /** What follows a table's name to have it searched by one index, with a space before it. */
  indexedBy(index: string): string
  /** Rows of `keys` that contain a text, newest first. Parameters: `searchTerm` of the text, and a limit. */
  searchKeys(columns: string): string
  searchTerm(text: string): string
  /** Adds to a count. Parameters: day, endpoint, auth, status and the number. */
  readonly addTraffic: string
  /** Adds all days up to the one given to day 0. */
  readonly foldTraffic: string
}
