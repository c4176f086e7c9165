import { channels } from './channels.ts'
import type { Migration } from './migration.ts'
import { treasury } from './treasury.ts'

export const initial: Migration = (bytes) => [
  `create table payments (
    network text not null, asset text not null, payer text not null, nonce text not null,
    amount text not null, pay_to text not null, valid_before bigint not null,
    state text not null, owner text, lease_until bigint not null,
    attempts integer not null, refusal text, doubt text, origin text not null, tx text, log_index bigint, audit text,
    surface text not null, check_type text not null, ruleset text not null,
    shape text not null, items integer not null,
    salt ${bytes}, binding ${bytes}, binding_key text,
    signature_mac ${bytes}, identifier ${bytes}, task_key text,
    mismatches integer not null, awaits_answer integer not null,
    claimed_at bigint not null, claimed_block bigint,
    settling_at bigint, settled_at bigint, delivered_at bigint,
    constraint payments_key primary key (network, asset, payer, nonce),
    constraint payments_state check (state in ('claimed', 'settling', 'settled', 'refused', 'in_doubt', 'void')),
    constraint payments_origin check (origin in ('sale', 'restored', 'adopted')),
    constraint payments_doubt check (doubt in ('denied', 'not_needed')),
    constraint payments_audit check (audit in ('found', 'missing'))
  )`,
  // Indexes are partial where few rows are asked for, so that a finished sale is in as few as possible. One chain log
  // settles one row: a transaction may pay many rows, a log never two.
  'create unique index payments_log on payments (network, tx, log_index) where log_index is not null',
  // Two rows under one payment identifier never settle at the same time, on however many replicas.
  "create unique index payments_one_settling on payments (identifier) where state = 'settling' and identifier is not null",
  'create index payments_identifier on payments (identifier) where identifier is not null',
  "create index payments_unresolved on payments (claimed_at) where state in ('in_doubt', 'refused', 'settling', 'claimed')",
  "create index payments_unaudited on payments (settled_at) where state = 'settled' and audit is null",
  "create index payments_missing on payments (settled_at) where audit = 'missing'",
  'create index payments_bound on payments (settled_at) where salt is not null',
  'create index payments_settled on payments (settled_at) where settled_at is not null',
  'create index payments_unanswered on payments (payer, claimed_at) where awaits_answer = 1',
  'create index payments_delivered on payments (payer, delivered_at) where delivered_at is not null',
  `create table tasks (
    key text primary key, sealed ${bytes} not null, created_at bigint not null, expires_at bigint not null,
    network text, asset text, payer text, nonce text, ended text
  )`,
  'create index tasks_expiry on tasks (expires_at)',
  'create index tasks_unpaid on tasks (expires_at) where nonce is null and ended is null',
  'create index tasks_payment on tasks (nonce) where nonce is not null',
  `create table counts (
    day text not null, surface text not null, check_type text not null, outcome text not null, count bigint not null,
    constraint counts_key primary key (day, surface, check_type, outcome)
  )`,
  'create table locks (name text primary key, owner text not null, lease_until bigint not null)',
  'create table facts (name text primary key, value text not null)',
  ...channels(bytes),
  ...treasury(bytes),
]
