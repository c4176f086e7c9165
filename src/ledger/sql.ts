export type Values = Readonly<Record<string, unknown>>

/** Runs statements: texts whose parameters have names (":payer"), in the SQL that both databases take. */
export interface Sql {
  /** The rows that a statement returns; none of one without `returning`. */
  rows<Row>(text: string, values?: Values): Promise<readonly Row[]>
  /** How many rows a statement without `returning` changed. */
  changed(text: string, values?: Values): Promise<number>
}

// "::" is a cast of PostgreSQL.
const PARAMETER = /(?<!:):([a-z_]\w*)/gi

/** A statement with the database's own marks in place of names, and the names in the order of the marks. */
export function positional(text: string, mark: (place: number) => string) {
  const names: string[] = []
  const sql = text.replace(PARAMETER, (_, name: string) => mark(names.push(name)))
  return { sql, names }
}

/** Rows as lists of parameters, "(:day0, :count0), (:day1, :count1)", and their values by these names. */
export function tuples(rows: readonly Values[]): { readonly text: string; readonly values: Values } {
  const texts = rows.map((row, at) => {
    // PostgreSQL would take a parameter without a type for text.
    const parameters = Object.entries(row).map(([name, value]) =>
      typeof value === 'bigint' ? `cast(:${name}${at} as bigint)` : `:${name}${at}`,
    )
    return `(${parameters.join(', ')})`
  })
  const values = rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [name + at, value]))
  return { text: texts.join(', '), values: Object.fromEntries(values) }
}
