-- What the code wrote before the first release (34a72a3d): ten migrations in place of one initial schema.
create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null);
create table payments (
    network text not null, asset text not null, payer text not null, nonce text not null,
    amount text not null, pay_to text not null, valid_before bigint not null,
    state text not null, owner text, lease_until bigint not null,
    attempts integer not null, refusal text, tx text, log_index bigint, audit text,
    surface text not null, check_type text not null, ruleset text not null,
    shape text not null, items integer not null,
    salt blob, binding blob, binding_key text,
    signature_mac blob, identifier blob, task_key text,
    mismatches integer not null, awaits_answer integer not null,
    claimed_at bigint not null, claimed_block bigint,
    settling_at bigint, settled_at bigint, delivered_at bigint, doubt text, origin text,
    constraint payments_key primary key (network, asset, payer, nonce)
  );
create unique index payments_log on payments (network, tx, log_index) where log_index is not null;
create unique index payments_one_settling on payments (identifier) where state = 'settling' and identifier is not null;
create index payments_identifier on payments (identifier) where identifier is not null;
create index payments_unresolved on payments (claimed_at) where state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed');
create index payments_unaudited on payments (settled_at) where state = 'settled' and audit is null;
create index payments_missing on payments (settled_at) where audit = 'missing';
create index payments_bound on payments (settled_at) where salt is not null;
create index payments_settled on payments (settled_at) where settled_at is not null;
create index payments_unanswered on payments (payer, claimed_at) where awaits_answer = 1;
create index payments_delivered on payments (payer, delivered_at) where delivered_at is not null;
create table tasks (
    key text primary key, sealed blob not null, created_at bigint not null, expires_at bigint not null,
    network text, asset text, payer text, nonce text, ended text
  );
create index tasks_expiry on tasks (expires_at);
create index tasks_unpaid on tasks (expires_at) where nonce is null and ended is null;
create index tasks_payment on tasks (nonce) where nonce is not null;
create table counts (
    day text not null, surface text not null, check_type text not null, outcome text not null, count bigint not null,
    constraint counts_key primary key (day, surface, check_type, outcome)
  );
create table locks (name text primary key, owner text not null, lease_until bigint not null);
create table facts (name text primary key, value text not null);
create table channels (
    id text primary key, payer text not null, payer_authorizer text not null,
    receiver text not null, receiver_authorizer text not null,
    token text not null, withdraw_delay bigint not null, config_salt text not null,
    balance text not null, total_claimed text not null, refund_nonce text not null,
    withdraw_requested_at bigint not null, read_at bigint not null,
    charged text not null, signature text not null, refunding text not null, amount text not null,
    surface text not null, check_type text not null, ruleset text not null,
    shape text not null, items integer not null,
    salt blob, binding blob, binding_key text,
    charged_at bigint not null, tx text, calls bigint not null, opened_at bigint not null, revision bigint not null
  , refunded text default '0' not null, mismatches integer default 0 not null);
create index channels_bound on channels (charged_at) where salt is not null;
create index channels_claimable on channels (charged_at) where charged <> total_claimed;
create table channel_deposits (
    payer text not null, nonce text not null, channel text not null, amount text not null, voucher text not null,
    valid_before bigint not null, state text not null, owner text, lease_until bigint not null, tx text,
    claimed_at bigint not null,
    constraint channel_deposits_key primary key (payer, nonce)
  );
create index channel_deposits_voucher on channel_deposits (channel, voucher);
create index channel_deposits_sending on channel_deposits (claimed_at) where state = 'sending';
create table treasury (
    day text not null, payer text not null, earned bigint default 0 not null, spent bigint default 0 not null, gas bigint default 0 not null, sales bigint default 0 not null, reserved bigint default 0 not null, lost bigint default 0 not null, credit bigint default 0 not null, beyond bigint default 0 not null,
    constraint treasury_key primary key (day, payer)
  );
create index treasury_payer on treasury (payer);
create index channels_payer on channels (payer);
create table treasury_reserves (
    id text primary key, day text not null, payer text not null, worst bigint not null, amount bigint not null
  , payers text default '' not null);
create table service_hours (
      hour text not null, name text not null, count bigint not null,
      constraint service_hours_key primary key (hour, name)
    );
insert into kysely_migration values ('0001-initial', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0002-channels', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0003-channel-refunds', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0004-channel-mismatches', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0005-doubt-reason', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0006-treasury', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0007-service-hours', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0008-ended-deposits', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0009-payment-origin', '2026-11-28T00:00:00.000Z');
insert into kysely_migration values ('0010-reserved-payers', '2026-11-28T00:00:00.000Z');
insert into facts values ('network', 'eip155:8453');
