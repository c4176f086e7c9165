import type { Kysely } from 'kysely'
import type { Purged } from '../ledger.ts'
import type { Schema } from '../schema.ts'

/** Takes the lock if it is free, ours already, or its lease is over. */
export async function acquireLock(
  db: Kysely<Schema>,
  name: string,
  owner: string,
  now: number,
  leaseUntil: number,
): Promise<boolean> {
  const row = await db
    .insertInto('locks')
    .values({ name, owner, lease_until: leaseUntil })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ owner, lease_until: leaseUntil })
        .where(({ or, eb }) => or([eb('locks.lease_until', '<=', now), eb('locks.owner', '=', owner)])),
    )
    .returning('owner')
    .executeTakeFirst()
  return row !== undefined
}

export async function releaseLock(db: Kysely<Schema>, name: string, owner: string): Promise<void> {
  await db.deleteFrom('locks').where('name', '=', name).where('owner', '=', owner).execute()
}

/** First writer wins; returns what stands. */
export async function ensureFact(db: Kysely<Schema>, name: string, value: string): Promise<string> {
  await db
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return readFact(db, name)
}

/** Puts another value in place of the one that was seen; returns what stands. */
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

/**
 * Deletes what has had its time: bindings and identifiers of ended replay windows, tasks past their life (those of a
 * payment that may still have to be answered live on), and
 * rows that never sold anything once nobody can settle them any more.
 */
export async function purge(db: Kysely<Schema>, now: number, replayWindowMs: number): Promise<Purged> {
  const windowStart = now - replayWindowMs
  const bindings = await db
    .updateTable('payments')
    .set({ salt: null, binding: null, identifier: null })
    .where('state', '=', 'settled')
    .where('settled_at', '<', windowStart)
    .where('valid_before', '<', Math.floor(now / 1000))
    .where('salt', 'is not', null)
    .executeTakeFirst()
  const tasks = await db
    .deleteFrom('tasks')
    .where('expires_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments')
            .select('payments.nonce')
            .whereRef('payments.nonce', '=', 'tasks.nonce')
            .whereRef('payments.payer', '=', 'tasks.payer')
            .where(({ or, and, eb }) =>
              or([
                eb('payments.state', 'in', ['settling', 'in_doubt', 'refused']),
                and([eb('payments.state', '=', 'settled'), eb('payments.settled_at', '>=', windowStart)]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  const payments = await db
    .deleteFrom('payments')
    .where('state', 'in', ['claimed', 'dead'])
    .where('lease_until', '<=', now)
    .where('valid_before', '<', Math.floor(windowStart / 1000))
    .where('claimed_at', '<', windowStart)
    .executeTakeFirst()
  return {
    bindings: Number(bindings.numUpdatedRows),
    tasks: Number(tasks.numDeletedRows),
    payments: Number(payments.numDeletedRows),
  }
}
