/** What can be made of a payment over a channel once it is signed. */
import type { ChannelConfig } from '../../src/ledger/channels/channel-row.ts'
import type { Wire } from '../model/channel-service.ts'

export type Spoil = (payment: Wire) => unknown

const ADDRESS = `0x${'5'.repeat(40)}`
export const MEMBERS: readonly [keyof ChannelConfig, string | number][] = [
  ...(['payer', 'payerAuthorizer', 'receiver', 'receiverAuthorizer', 'token'] as const).map(
    (name): [keyof ChannelConfig, string] => [name, ADDRESS],
  ),
  ['withdrawDelay', 86_401],
  ['salt', `0x${'5'.repeat(64)}`],
]

type Part = Record<string, unknown>

/** A member of a payment, by the names on the way to it. */
export const withMember =
  (path: string, value: unknown): Spoil =>
  (payment) => {
    const names = path.split('.')
    const last = names.pop() as string
    const part = names.reduce((each, name) => each[name] as Part, payment as unknown as Part)
    part[last] = value
  }

const AUTHORIZATION = 'payload.deposit.authorization.erc3009Authorization'
const MOST = 2n ** 128n

/** What is not a payment over a channel. */
export const MALFORMED: readonly Spoil[] = [
  ...[
    ...['payload', 'payload.channelConfig', 'payload.voucher', 'payload.deposit', 'payload.type'],
    ...['payload.deposit.authorization', AUTHORIZATION],
  ].flatMap((path) => [withMember(path, null), withMember(path, 'other')]),
  withMember('x402Version', 1),
  withMember('accepted.network', 'eip155:1'),
  withMember('accepted.amount', 5),
  ...MEMBERS.flatMap(([name]) => [
    withMember(`payload.channelConfig.${name}`, `${ADDRESS}5`),
    withMember(`payload.channelConfig.${name}`, 5.5),
  ]),
  ...[-1, 2 ** 40, '86400'].map((delay) => withMember('payload.channelConfig.withdrawDelay', delay)),
  ...[
    ...['payload.voucher.maxClaimableAmount', 'payload.deposit.amount'],
    ...[`${AUTHORIZATION}.validAfter`, `${AUTHORIZATION}.validBefore`],
  ].flatMap((path) =>
    ['', '-1', '1x', 'x1', '1.5', 5, String(MOST), `1${'0'.repeat(39)}`].map((value) =>
      withMember(path, value),
    ),
  ),
  ...['', '0x', 'x1', '1x', 5, `0x1${'0'.repeat(64)}`, `1${'0'.repeat(78)}`, String(2n ** 256n)].map((salt) =>
    withMember(`${AUTHORIZATION}.salt`, salt),
  ),
  ...['payload.voucher.signature', `${AUTHORIZATION}.signature`].flatMap((path) =>
    ['0x', `0x${'1'.repeat(128)}`, `x0x${'1'.repeat(130)}`, 5].map((value) => withMember(path, value)),
  ),
  ...['0x', `0x${'1'.repeat(66)}`, 5].map((id) => withMember('payload.voucher.channelId', id)),
]

/** Well formed, and not what the payer has signed. */
export const UNSIGNED: readonly Spoil[] = [
  ...MEMBERS.map(([name, value]) => withMember(`payload.channelConfig.${name}`, value)),
  withMember('payload.channelConfig.withdrawDelay', 2 ** 40 - 1),
  withMember('payload.voucher.maxClaimableAmount', String(MOST - 1n)),
  withMember('payload.voucher.channelId', `0x${'5'.repeat(64)}`),
  withMember('payload.voucher.signature', `0x${'1'.repeat(128)}1b`),
  withMember('payload.voucher.signature', `0x${'1'.repeat(64)}${'f'.repeat(64)}1b`),
  withMember(`${AUTHORIZATION}.salt`, String(2n ** 256n - 1n)),
  withMember(`${AUTHORIZATION}.signature`, `0x${'1'.repeat(128)}1b`),
  withMember(`${AUTHORIZATION}.signature`, `0x${'1'.repeat(132)}`),
  // One digit more.
  ({ payload }) => {
    const voucher = payload.voucher as Part
    voucher.maxClaimableAmount = `1${voucher.maxClaimableAmount}`
  },
]

/** Written in another way, or with members that mean nothing. */
export const ALIKE: readonly Spoil[] = [
  ({ payload }) => {
    const config = payload.channelConfig as Part
    for (const [name, value] of Object.entries(config))
      if (typeof value === 'string') config[name] = `0x${value.slice(2).toUpperCase()}`
  },
  ({ payload }) => {
    const voucher = payload.voucher as Part
    voucher.channelId = `0x${String(voucher.channelId).slice(2).toUpperCase()}`
    voucher.signature = `0x${String(voucher.signature).slice(2).toUpperCase()}`
  },
  (payment) => Object.assign(payment.payload, { other: 1, refund: '1', amount: '1' }),
  ({ payload }) => {
    const { authorization } = payload.deposit as { authorization: { erc3009Authorization: Part } }
    const given = authorization.erc3009Authorization
    given.salt = `0x${BigInt(String(given.salt)).toString(16)}`
  },
]
