import type { Sale } from './service.ts'

/** What a code promises about the charge of the authorization it answers. */
export type Charged = 'no' | 'yes' | 'unknown'

/**
 * Whether an answer says that nothing was charged under its authorization, and so that nothing sent before it will be.
 * "no" is held against the chain for the rest of the schedule.
 */
export function promiseOf(sale: Sale): Charged {
  if (sale.kind === 'sold') return 'yes'
  if (sale.kind === 'unpaid') return 'no'
  return PROMISES[sale.code] ?? 'unknown'
}

const PROMISES: Readonly<Record<string, Charged>> = {
  facilitator_unavailable: 'no',
  task_not_found: 'unknown',
  store_unavailable: 'unknown',
  payment_in_doubt: 'unknown',
  payment_already_used: 'unknown',
  replay_window_over: 'yes',
  too_many_requests: 'unknown',
}
