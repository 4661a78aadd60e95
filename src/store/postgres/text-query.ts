import { Buffer } from 'node:buffer'
import { type Connection, Query } from 'pg'
import { serialize } from 'pg-protocol'

/** A statement that answers one text, and is sent so often that its costs count. */
export interface TextStatement {
  /** Name under which a session keeps the statement. */
  readonly name: string
  /** The message that has the server parse it for this one time. */
  readonly parse: Buffer
  /** The message that has the session keep it under its name. */
  readonly keep: Buffer
}

/** Whether the session keeps the statement: `known` where it does already. */
export type Keeping = 'none' | 'new' | 'known'

export type PlainValue = string | number | null

export function textStatement(name: string, sql: string): TextStatement {
  return { name, parse: serialize.parse({ text: sql }), keep: serialize.parse({ name, text: sql }) }
}

/**
 * A query of the driver that is sent in one piece. The driver itself writes each of five messages by a system call of its
 * own, and asks for a description of the answer, which is known here to be one text.
 */
export function textQuery(
  { name, parse, keep }: TextStatement,
  keeping: Keeping,
  values: readonly PlainValue[],
  resolve: (text: string | null) => void,
  reject: (error: Error) => void,
): Query {
  let text: string | null = null
  const query = new Query('', [], (error: Error | null | undefined) =>
    error == null ? resolve(text) : reject(error),
  )
  return Object.assign(query, {
    submit({ stream }: Connection): null {
      const texts = values.map((value) => (value === null ? null : String(value)))
      const bind = serialize.bind(keeping === 'none' ? { values: texts } : { statement: name, values: texts })
      const ahead = keeping === 'known' ? [] : [keeping === 'new' ? keep : parse]
      if (stream.writable)
        stream.write(Buffer.concat([...ahead, bind, serialize.execute(), serialize.sync()]))
      return null
    },
    handleDataRow({ fields: [field = null] }: { readonly fields: readonly (string | null)[] }): void {
      text = field
    },
  })
}
