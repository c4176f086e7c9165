import type { Migration } from './migration.ts'

const SUMS = ['earned', 'spent', 'gas', 'sales', 'reserved', 'lost', 'credit', 'overrun']

/** What the operator earns and spends, by UTC day and payer, and what is reserved for transactions without a receipt. */
export const treasury: Migration = () => [
  `create table treasury (
    day text not null, payer text not null, ${SUMS.map((sum) => `${sum} bigint default 0 not null`).join(', ')},
    constraint treasury_key primary key (day, payer)
  )`,
  'create index treasury_payer on treasury (payer)',
  'create index channels_payer on channels (payer)',
  `create table treasury_reserves (
    id text primary key, day text not null, payer text not null, payers text not null,
    worst bigint not null, amount bigint not null
  )`,
]
