import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Schema } from '../schema.ts'
import { initial } from './0001-initial.ts'
import { channels } from './0002-channels.ts'
import { channelRefunds } from './0003-channel-refunds.ts'
import { channelMismatches } from './0004-channel-mismatches.ts'
import { doubtReason } from './0005-doubt-reason.ts'
import { treasury } from './0006-treasury.ts'
import { serviceHours } from './0007-service-hours.ts'

/** Every migration in order; names are final once released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-channels': channels,
  '0003-channel-refunds': channelRefunds,
  '0004-channel-mismatches': channelMismatches,
  '0005-doubt-reason': doubtReason,
  '0006-treasury': treasury,
  '0007-service-hours': serviceHours,
}

const provider: MigrationProvider = { getMigrations: async () => ({ ...MIGRATIONS }) }

/**
 * Brings the schema up to this code's version; replicas that start together wait for each other. A newer schema is left
 * as it is: every change begins as an addition that older code can live with, so that replicas of two versions can
 * serve side by side. Throws on failure.
 *
 * `schema` names where the table of migrations is, in a database with several schemas: otherwise a table of that name in
 * any of them would be used.
 */
export async function migrate(db: Kysely<Schema>, schema?: string): Promise<readonly string[]> {
  const place = schema === undefined ? {} : { migrationTableSchema: schema }
  const migrator = new Migrator({ db, provider, ...place })
  const known = await migrator.getMigrations()
  if (known.every((migration) => migration.executedAt !== undefined)) return []
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** True when every migration this code knows has been applied; one cheap read, for use after {@link migrate}. */
export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = new Set(rows.map((row) => row.name))
  return Object.keys(MIGRATIONS).every((name) => applied.has(name))
}
