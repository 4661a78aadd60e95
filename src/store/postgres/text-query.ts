import { Buffer } from 'node:buffer'
import { type Connection, Query } from 'pg'
import { serialize } from 'pg-protocol'

/** A statement that answers one text, and is sent so often that its costs count. */
export interface TextStatement {
  /** The message that has the server parse it. It has no name, so that a pooler may pass each copy to another session. */
  readonly parse: Buffer
}

export type PlainValue = string | number | null

export function textStatement(sql: string): TextStatement {
  return { parse: serialize.parse({ text: sql }) }
}

/**
 * A query of the driver that is sent in one piece. The driver itself writes each of five messages by a system call of its
 * own, and asks for a description of the answer, which is known here to be one text.
 */
export function textQuery(
  { parse }: TextStatement,
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
      const bind = serialize.bind({ values: values.map((value) => (value === null ? null : String(value))) })
      if (stream.writable) stream.write(Buffer.concat([parse, bind, serialize.execute(), serialize.sync()]))
      return null
    },
    handleDataRow({ fields: [field = null] }: { readonly fields: readonly (string | null)[] }): void {
      text = field
    },
  })
}
