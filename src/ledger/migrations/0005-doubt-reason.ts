import type { Migration } from './migrate.ts'

/**
 * Why a payment is in doubt. Older replicas write the state `unconfirmed` for what is `denied` here; it is read as that,
 * and ends as every doubt does. What is written here is `in_doubt`, which they handle alike.
 */
export const doubtReason: Migration = () => ['alter table payments add column doubt text']
