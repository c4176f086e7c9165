import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The sales whose transfer the chain does not know: counted at every scrape, and nearly always none. */
export const auditMissing: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index payments_missing on payments (settled_at) where audit = 'missing'`.execute(db)
  },
}
