export type Values = Readonly<Record<string, unknown>>

/** Runs statements in the SQL that both databases understand, with named parameters (":payer"). Extra values are ignored. */
export interface Sql {
  rows<Row>(text: string, values?: Values): Promise<readonly Row[]>
  changed(text: string, values?: Values): Promise<number>
  /** A condition that always holds, which the connection wants evaluated by its writes; absent without one. */
  readonly always?: string
}

// Not after another colon: "::" is a cast of PostgreSQL.
const PARAMETER = /(?<!:):([a-z_]\w*)/gi

/** Replaces names by the database's own marks; returns the names in the order of the marks. */
export function positional(text: string, mark: (place: number) => string) {
  const names: string[] = []
  const sql = text.replace(PARAMETER, (_, name: string) => mark(names.push(name)))
  return { sql, names }
}

export function tuples(rows: readonly Values[]): { readonly text: string; readonly values: Values } {
  const texts = rows.map((row, at) => {
    // PostgreSQL takes a parameter without a type for text.
    const parameters = Object.entries(row).map(([name, value]) =>
      typeof value === 'bigint' ? `cast(:${name}${at} as bigint)` : `:${name}${at}`,
    )
    return `(${parameters.join(', ')})`
  })
  const values = rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [name + at, value]))
  return { text: texts.join(', '), values: Object.fromEntries(values) }
}
