import type { Migration } from './migration.ts'

export const channels: Migration = (bytes) => [
  `create table channels (
    id text primary key, payer text not null, payer_authorizer text not null,
    receiver text not null, receiver_authorizer text not null,
    token text not null, withdraw_delay bigint not null, config_salt text not null,
    balance text not null, total_claimed text not null, refund_nonce text not null,
    withdraw_requested_at bigint not null, read_at bigint not null,
    charged text not null, signature text not null, amount text not null,
    refunding text not null, refunded text default '0' not null, mismatches integer default 0 not null,
    surface text not null, check_type text not null, ruleset text not null,
    shape text not null, items integer not null,
    salt ${bytes}, binding ${bytes}, binding_key text,
    charged_at bigint not null, tx text, calls bigint not null, opened_at bigint not null, revision bigint not null
  )`,
  'create index channels_bound on channels (charged_at) where salt is not null',
  'create index channels_claimable on channels (charged_at) where charged <> total_claimed',
  `create table channel_deposits (
    payer text not null, nonce text not null, channel text not null, amount text not null, voucher text not null,
    valid_before bigint not null, state text not null, owner text, lease_until bigint not null, tx text,
    claimed_at bigint not null,
    constraint channel_deposits_key primary key (payer, nonce),
    constraint channel_deposits_state check (state in ('sending', 'landed'))
  )`,
  'create index channel_deposits_voucher on channel_deposits (channel, voucher)',
  "create index channel_deposits_sending on channel_deposits (claimed_at) where state = 'sending'",
]
