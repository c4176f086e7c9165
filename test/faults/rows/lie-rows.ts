import type { SettleResponse } from '@x402/core/types'
import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { shown } from '../bench/order.ts'
import {
  type Ending,
  IN_DOUBT,
  NOT_REPEATED,
  openScene,
  played,
  type Row,
  sendAndRepeat,
  sendOnly,
  soldAfter,
} from '../bench/row.ts'

const NETWORK = 'eip155:8453'
const OTHER = `0x${'9'.repeat(40)}`
const INVENTED = `0x${'7'.repeat(64)}`

const success = (change: Partial<SettleResponse>) => (truth: SettleResponse | undefined, payer: string) => ({
  success: true,
  transaction: truth?.transaction ?? INVENTED,
  network: NETWORK,
  payer,
  ...change,
})
const refusal = (errorReason: string) => (_truth: unknown, payer: string) => ({
  success: false,
  errorReason,
  transaction: '',
  network: NETWORK,
  payer,
})

const TEN_MEGABYTES = { status: 200, body: `"${'x'.repeat(10_000_000)}"` } as const
const HTML = { status: 200, body: '<!doctype html><title>Welcome</title>', type: 'text/html' } as const

/** What is said, after a transfer and without one. */
const LIES: readonly (readonly [what: string, act: SettleAct, first: string])[] = [
  ['success without a transfer', { lands: 'never', says: success({}) }, IN_DOUBT],
  ['success without a transaction', { lands: 'never', says: success({ transaction: '' }) }, IN_DOUBT],
  [
    'success without a transaction, the transfer landed',
    { lands: 'before', says: success({ transaction: '' }) },
    'verdict',
  ],
  [
    'success with an invented transaction, the transfer landed',
    { lands: 'before', says: success({ transaction: INVENTED }) },
    'verdict',
  ],
  ['success for another payer, no transfer', { lands: 'never', says: success({ payer: OTHER }) }, IN_DOUBT],
  [
    'success for another payer, the transfer landed',
    { lands: 'before', says: success({ payer: OTHER }) },
    'verdict',
  ],
  [
    'success on another network, no transfer',
    { lands: 'never', says: success({ network: 'eip155:1' }) },
    IN_DOUBT,
  ],
  ['success with another amount, no transfer', { lands: 'never', says: success({ amount: '1' }) }, IN_DOUBT],
  [
    'a bad signature, the transfer landed',
    { lands: 'before', says: refusal('invalid_exact_evm_signature') },
    'verdict',
  ],
  [
    'insufficient funds, the transfer landed',
    { lands: 'before', says: refusal('insufficient_funds') },
    'verdict',
  ],
  ['429, the transfer landed', { lands: 'before', says: { status: 429, body: '' } }, 'verdict'],
  ['HTML with status 200, the transfer landed', { lands: 'before', says: HTML }, 'verdict'],
  ['ten megabytes, no transfer', { lands: 'never', says: TEN_MEGABYTES }, IN_DOUBT],
]

/** A facilitator that lies, each way, to a service that waits for the proof on the chain. */
export const LIE_ROWS: readonly Row[] = [
  ...LIES.map(
    ([what, act, first]): Row => ({
      fault: `facilitator says ${what}`,
      on: 'SQLite, SETTLEMENT_PROOF=chain',
      expected: soldAfter(first),
      play: async (stage) => {
        const scene = await openScene(stage, await stage.careful())
        stage.world.facilitator.plan(scene.order.nonce, act)
        return sendAndRepeat(scene)
      },
    }),
  ),
  {
    fault: 'facilitator says success with the transaction of an earlier sale',
    on: 'SQLite, SETTLEMENT_PROOF=chain',
    expected: soldAfter(IN_DOUBT),
    play: async (stage) => {
      const target = await stage.careful()
      const { order: earlier, url } = await openScene(stage, target)
      const { transaction = '' } = await earlier.insist(url)
      const scene = await openScene(stage, target)
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'never', says: success({ transaction }) })
      return sendAndRepeat(scene)
    },
  },
  careless('429, the transfer landed; not repeated before validBefore', {
    lands: 'before',
    says: { status: 429, body: '' },
  }),
  careless('a bad signature, the transfer landed; not repeated before validBefore', {
    lands: 'before',
    says: refusal('invalid_exact_evm_signature'),
  }),
]

function careless(what: string, act: SettleAct): Row {
  return {
    fault: `facilitator says ${what}`,
    on: 'SQLite, SETTLEMENT_PROOF=chain',
    expected: soldAfter('verdict', NOT_REPEATED),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.careful(), { lifeSeconds: 20 })
      stage.world.facilitator.plan(scene.order.nonce, act)
      return sendOnly(scene)
    },
  }
}

/** Accepted losses: only the facilitator's word releases the verdict, and it lies. */
export const ACCEPTED_ROWS: readonly Row[] = [
  {
    fault: 'facilitator says success without a transfer',
    on: 'SQLite, SETTLEMENT_PROOF=facilitator',
    outside: true,
    expected: {
      first: 'verdict',
      repeated: 'verdict',
      charged: 0,
      state: 'settled',
      last: 'verdict',
    } satisfies Ending,
    play: async (stage) => {
      const scene = await openScene(stage, await stage.file(), { lifeSeconds: 30 })
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'never', says: success({}) })
      const first = shown(await scene.order.send(scene.url))
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
]
