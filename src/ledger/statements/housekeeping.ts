import type { Kysely } from 'kysely'
import type { Purged, ReplayWindows } from '../ledger.ts'
import type { Schema } from '../schema.ts'

/** Takes the lock if it is free, already ours, or its lease is over. */
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

/** Names of the hourly binding keys begin with this, and sort by their hour. */
export const BINDING_KEY_PREFIX = 'binding-key/'
export const HOUR_MS = 3_600_000

/** The name of the key for bindings made at a time (UTC milliseconds). */
export const bindingKeyName = (at: number): string =>
  `${BINDING_KEY_PREFIX}${new Date(at).toISOString().slice(0, 13)}`

/**
 * Deletes what is over: bindings and identifiers of ended replay windows, then the hourly keys that no binding needs,
 * expired tasks (not those of a payment that may still be answered), and rows that never sold anything and can no
 * longer be settled.
 */
export async function purge(db: Kysely<Schema>, now: number, windows: ReplayWindows): Promise<Purged> {
  const deliveredBefore = now - windows.deliveredMs
  const settledBefore = now - windows.undeliveredMs
  const bindings = await db
    .updateTable('payments')
    .set({
      salt: null,
      binding: null,
      binding_key: null,
      identifier: null,
      signature_mac: null,
      task_key: null,
    })
    .where('state', '=', 'settled')
    .where(({ or, and, eb }) =>
      or([
        eb('delivered_at', '<', deliveredBefore),
        and([eb('delivered_at', 'is', null), eb('settled_at', '<', settledBefore)]),
      ]),
    )
    .where('valid_before', '<', Math.floor(now / 1000))
    .where('salt', 'is not', null)
    .executeTakeFirst()
  await db
    .updateTable('channels')
    .set({ salt: null, binding: null, binding_key: null })
    .where('charged_at', '<', settledBefore)
    .where('salt', 'is not', null)
    .execute()
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
                eb('payments.state', 'in', ['settling', 'in_doubt', 'unconfirmed', 'refused']),
                and([eb('payments.state', '=', 'settled'), eb('payments.salt', 'is not', null)]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  const payments = await db
    .deleteFrom('payments')
    .where('state', 'in', ['claimed', 'void'])
    .where('lease_until', '<=', now)
    .where('valid_before', '<', Math.floor(deliveredBefore / 1000))
    .where('claimed_at', '<', deliveredBefore)
    .executeTakeFirst()
  await purgeBindingKeys(db, now)
  return {
    bindings: Number(bindings.numUpdatedRows),
    tasks: Number(tasks.numDeletedRows),
    payments: Number(payments.numDeletedRows),
  }
}

/** An hourly key is destroyed two hours after its hour, once the last binding made with it is gone. */
async function purgeBindingKeys(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('facts')
    .where('name', 'like', `${BINDING_KEY_PREFIX}%`)
    .where('name', '<', bindingKeyName(now - 2 * HOUR_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments')
            .select('payments.nonce')
            .where('payments.salt', 'is not', null)
            .whereRef('payments.binding_key', '=', 'facts.name'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('channels')
            .select('channels.id')
            .where('channels.salt', 'is not', null)
            .whereRef('channels.binding_key', '=', 'facts.name'),
        ),
      ),
    )
    .execute()
}
