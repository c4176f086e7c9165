import type { Kysely } from 'kysely'
import { BINDING_KEY_PREFIX, bindingKeyName } from '../binding-key.ts'
import type { Purged, ReplayWindows } from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { HOUR_MS } from '../utc-days.ts'

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
