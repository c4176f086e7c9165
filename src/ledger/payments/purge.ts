import { DAY_MS, dayOf, HOUR_MS } from '../../values/utc-days.ts'
import type { Bind } from '../store/store.ts'
import { BINDING_KEY_PREFIX, bindingKeyName } from './binding-key.ts'
import { UNSETTLED } from './state-literals.ts'

/** Rows of one statement, which take some 80 ms; sales go on between two statements. */
const MOST_AT_ONCE = 2_000
/** The replay window is over. */
const IS_OVER = `state = 'settled' and salt is not null and valid_before < :nowSeconds
    and (delivered_at < :deliveredBefore or (delivered_at is null and settled_at < :settledBefore))`
const BINDINGS = `update payments set salt = null, binding = null, binding_key = null, identifier = null,
    signature_mac = null, task_key = null
  where (network, asset, payer, nonce) in (select network, asset, payer, nonce from payments
    where ${IS_OVER} limit ${MOST_AT_ONCE})`
/** Before its row is unbound: after that, a task that was paid for would look unpaid. */
const SOLD_TASKS = `delete from tasks where key in (select key from tasks
    join payments using (network, asset, payer, nonce) where ${IS_OVER} limit ${MOST_AT_ONCE})`

const CHANNEL_BINDINGS = `update channels set salt = null, binding = null, binding_key = null
  where charged_at < :settledBefore and salt is not null`

// A payment that may still be answered keeps its task.
const TASKS = `delete from tasks where expires_at <= :now and not exists (
    select 1 from payments where payments.network = tasks.network and payments.asset = tasks.asset
    and payments.payer = tasks.payer and payments.nonce = tasks.nonce
    and (payments.state in ('settling', 'in_doubt', 'refused')
      or (payments.state = 'settled' and payments.salt is not null)))`

// Spelled as partial indexes, since no index has all rows of a state. Void rows keep their salt until they are deleted,
// so the index of rows with a salt finds them; that of rows that await an answer would read all undelivered sales
// first.
const UNSOLD = [
  `${UNSETTLED} and state = 'claimed'`,
  "salt is not null and settled_at is null and state = 'void'",
].map(
  (condition) => `delete from payments where ${condition}
    and lease_until <= :now and valid_before < :deliveredBeforeSeconds and claimed_at < :deliveredBefore`,
)

const BINDING_KEYS = `delete from facts where name like '${BINDING_KEY_PREFIX}%' and name < :newestKey
  and not exists (select 1 from payments where salt is not null and binding_key = facts.name)
  and not exists (select 1 from channels where salt is not null and binding_key = facts.name)`

/** Days after which sums by payer are deleted. A payer with a channel keeps them, because they bound its gas. */
const PAYER_DAYS = 400
const TREASURY = `delete from treasury where day < :payerDay and payer <> ''
  and not exists (select 1 from channels where channels.payer = treasury.payer)`

const RESERVE_DAYS = 30
const RESERVES = 'delete from treasury_reserves where day < :reserveDay'

/** A lock that was not released is free once its lease has ended; the name of one for a refund holds a payer. */
const LOCKS = 'delete from locks where lease_until < :deliveredBefore'

export interface Purged {
  readonly bindings: number
  readonly tasks: number
  readonly payments: number
}

export interface ReplayWindows {
  readonly deliveredMs: number
  readonly undeliveredMs: number
}

/**
 * Deletes what ended replay windows leave, hourly keys without a binding, expired tasks, and old rows that never sold.
 * SQLite overwrites what it deletes and truncates its log.
 */
export const purge =
  (run: Bind<'commit'>) =>
  async (now: number, { deliveredMs, undeliveredMs }: ReplayWindows): Promise<Purged> => {
    const deliveredBefore = now - deliveredMs
    const values = {
      now,
      nowSeconds: Math.floor(now / 1000),
      deliveredBefore,
      deliveredBeforeSeconds: Math.floor(deliveredBefore / 1000),
      settledBefore: now - undeliveredMs,
      newestKey: bindingKeyName(now - 2 * HOUR_MS),
      payerDay: dayOf(now - PAYER_DAYS * DAY_MS),
      reserveDay: dayOf(now - RESERVE_DAYS * DAY_MS),
    }
    const runToEnd = async (statement: string): Promise<number> => {
      let all = 0
      for (let changed = MOST_AT_ONCE; changed === MOST_AT_ONCE; all += changed)
        changed = await run((db) => db.changed(statement, values))()
      return all
    }
    const soldTasks = await runToEnd(SOLD_TASKS)
    const bindings = await runToEnd(BINDINGS)
    return run(async (db) => {
      await db.changed(CHANNEL_BINDINGS, values)
      const tasks = soldTasks + (await db.changed(TASKS, values))
      let payments = 0
      for (const statement of UNSOLD) payments += await db.changed(statement, values)
      for (const statement of [BINDING_KEYS, TREASURY, RESERVES, LOCKS]) await db.changed(statement, values)
      return { bindings, tasks, payments }
    })()
  }
