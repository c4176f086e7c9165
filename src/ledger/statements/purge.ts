import { type Kysely, type RawBuilder, sql } from 'kysely'
import { BINDING_KEY_PREFIX, bindingKeyName } from '../binding-key.ts'
import type { Purged, ReplayWindows } from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../utc-days.ts'
import { UNSETTLED } from './unsettled-rows.ts'

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
            .whereRef('payments.network', '=', 'tasks.network')
            .whereRef('payments.asset', '=', 'tasks.asset')
            .whereRef('payments.payer', '=', 'tasks.payer')
            .whereRef('payments.nonce', '=', 'tasks.nonce')
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
  const claimed = await purgeUnsold(db, CLAIMED, now, deliveredBefore)
  const dead = await purgeUnsold(db, VOID, now, deliveredBefore)
  await purgeBindingKeys(db, now)
  await purgeTreasury(db, now)
  await db
    .deleteFrom('service_hours')
    .where('hour', '<', dayOf(now - SERVICE_DAYS * DAY_MS))
    .execute()
  return {
    bindings: Number(bindings.numUpdatedRows),
    tasks: Number(tasks.numDeletedRows),
    payments: claimed + dead,
  }
}

// Each is spelled as the condition of a partial index, since no index has all rows of a state. A void row is found in the
// index of bound rows, without a time of settlement: only a sale loses its binding before the row is deleted. The index of
// rows that await an answer would list all undelivered sales before it.
const CLAIMED = sql<boolean>`${UNSETTLED} and state = 'claimed'`
const VOID = sql<boolean>`salt is not null and settled_at is null and state = 'void'`

async function purgeUnsold(
  db: Kysely<Schema>,
  condition: RawBuilder<boolean>,
  now: number,
  before: number,
): Promise<number> {
  const deleted = await db
    .deleteFrom('payments')
    .where(condition)
    .where('lease_until', '<=', now)
    .where('valid_before', '<', Math.floor(before / 1000))
    .where('claimed_at', '<', before)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Days for which sums by payer are kept; of a payer with a channel they bound what the operator pays for, so they stay. */
const PAYER_DAYS = 400
/** The status page shows 90 days. */
const SERVICE_DAYS = 91
/** A reserve counts for its day alone. */
const RESERVE_DAYS = 30

async function purgeTreasury(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('treasury')
    .where('day', '<', dayOf(now - PAYER_DAYS * DAY_MS))
    .where('payer', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('channels').select('id').whereRef('channels.payer', '=', 'treasury.payer'))),
    )
    .execute()
  await db
    .deleteFrom('treasury_reserves')
    .where('day', '<', dayOf(now - RESERVE_DAYS * DAY_MS))
    .execute()
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
