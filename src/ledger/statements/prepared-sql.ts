import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Runs a statement with these values by name; the rows it gives back. */
export type PreparedSql<Row> = (
  db: Kysely<Schema>,
  values: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>

const PARAMETER = /:([a-z_]+)/gi

/**
 * A statement with named parameters (":payer"), translated into the dialect once per connection.
 *
 * For what every sale runs: a query builder compiles a statement each time, at several times the cost of running it.
 */
export function preparedSql<Row>(text: string): PreparedSql<Row> {
  const names = [...text.matchAll(PARAMETER)].map(([, name]) => name as string)
  const kept = new WeakMap<object, CompiledQuery>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let statement = kept.get(adapter)
    if (statement === undefined) {
      statement = compiled(db, text)
      kept.set(adapter, statement)
    }
    const parameters = names.map((name) => values[name])
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows
  }
}

/** Replaces named parameters by the dialect's: "?" in SQLite, "$1" and so on in PostgreSQL. */
function compiled(db: Kysely<Schema>, text: string): CompiledQuery {
  const isNumbered = sql`${0}`.compile(db).sql !== '?'
  let count = 0
  return CompiledQuery.raw(
    text.replace(PARAMETER, () => {
      count += 1
      return isNumbered ? `$${count}` : '?'
    }),
  )
}
