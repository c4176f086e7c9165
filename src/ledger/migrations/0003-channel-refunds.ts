import type { Migration } from './migrate.ts'

/** What a channel had charged when its last refund was signed: one refund for each voucher. */
export const channelRefunds: Migration = () => [
  "alter table channels add column refunded text default '0' not null",
]
