import type { Kysely } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { paymentsTasksCounts } from './migrations/0001-payments-tasks-counts.ts'
import type { Schema } from './schema.ts'

/** Every migration in order; names are final once released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-payments-tasks-counts': paymentsTasksCounts,
}

const provider: MigrationProvider = { getMigrations: async () => ({ ...MIGRATIONS }) }

/** Brings the schema up to this code's version; replicas starting together wait for each other. Throws on failure. */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** True when every migration this code knows has been applied. */
export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const migrations = await new Migrator({ db, provider }).getMigrations()
  return migrations.every((migration) => migration.executedAt !== undefined)
}
