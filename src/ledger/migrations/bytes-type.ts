import { type Kysely, SqliteAdapter, sql } from 'kysely'

/** The column type for bytes: the only thing the two dialects name differently. */
export const bytesType = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof SqliteAdapter ? sql`blob` : sql`bytea`
