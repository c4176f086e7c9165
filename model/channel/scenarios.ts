import type { ChannelScenario } from './channel-state.ts'
import type { Rule } from './rules.ts'

/** The searches, each with the rules without which it finds what they are for. */
export const CHANNEL_PLANS: readonly (ChannelScenario & { readonly shows: readonly Rule[] })[] = [
  {
    name: 'copies of a first call, another call with its voucher, a crash',
    shows: ['one-voucher-one-call'],
    replicas: 2,
    arrivals: { first: 2, other: 1 },
    replies: ['mined', 'silent mined', 'silent air', 'lie air'],
    crashes: 1,
    leases: 1,
  },
  {
    name: 'a payer who signs its deposit twice',
    shows: [
      'same-deposit-once',
      'deposit-before-send',
      'chain-says-deposit',
      'look-again-after-claim',
      'look-before-each-send',
    ],
    replicas: 2,
    arrivals: { first: 2, again: 2 },
    replies: ['mined', 'silent mined', 'silent air', 'lie air'],
    crashes: 1,
    storeFaults: 1,
    leases: 1,
  },
  {
    name: 'the next call, and another one with the same voucher',
    shows: ['compare-and-set'],
    replicas: 2,
    arrivals: { first: 1, next: 2, nextOther: 1 },
    replies: ['mined', 'silent air'],
    storeFaults: 1,
  },
  {
    name: 'calls beside refunds',
    shows: ['refund-is-reserved', 'refund-once-a-voucher'],
    replicas: 2,
    arrivals: { first: 1, next: 1, refund: 2 },
    replies: ['mined', 'silent air'],
    leases: 1,
    gives: true,
  },
  {
    name: 'calls, one with another deposit, beside a refund and the loop',
    shows: ['read-again-after-conflict'],
    replicas: 2,
    arrivals: { first: 1, topUp: 1, refund: 1, maintain: 1 },
    replies: ['mined', 'silent air'],
    leases: 1,
  },
  {
    name: 'a node that shows an old state',
    shows: ['old-state-is-ignored'],
    replicas: 2,
    arrivals: { first: 1, next: 1, refund: 1, maintain: 1 },
    replies: ['mined'],
    nodeStands: true,
  },
  {
    name: 'a payer who leaves, claims, crashes',
    shows: ['leaving-sells-nothing', 'deposit-counts-while-there'],
    replicas: 2,
    arrivals: { first: 1, next: 1, claim: 1, maintain: 1 },
    replies: ['mined', 'silent air'],
    crashes: 1,
    leases: 1,
    leaves: true,
  },
]
