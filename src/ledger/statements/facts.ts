import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** First writer wins; returns the value in the store. */
export async function ensureFact(db: Kysely<Schema>, name: string, value: string): Promise<string> {
  await db
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return readFact(db, name)
}

/** Replaces the value that was seen; returns the value in the store. */
export async function replaceFact(
  db: Kysely<Schema>,
  name: string,
  seen: string,
  value: string,
): Promise<string> {
  await db.updateTable('facts').set({ value }).where('name', '=', name).where('value', '=', seen).execute()
  return readFact(db, name)
}

async function readFact(db: Kysely<Schema>, name: string): Promise<string> {
  const row = await db.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return row.value
}

/** The value of a fact; null if it was never written. */
export async function findFact(db: Kysely<Schema>, name: string): Promise<string | null> {
  const row = await db.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}
