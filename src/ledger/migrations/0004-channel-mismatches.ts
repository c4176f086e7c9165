import type { Migration } from './migrate.ts'

/** How many differing calls came with a channel's newest voucher. */
export const channelMismatches: Migration = () => [
  'alter table channels add column mismatches integer default 0 not null',
]
