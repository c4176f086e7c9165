import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload } from '@x402/core/types'
import { createPublicClient, type Hex, type Transport } from 'viem'
import { memoize, memoizeBy } from '../../../caches/memoize.ts'
import type { ChannelAct, Purpose } from '../../../ledger/treasury/treasury-row.ts'
import type { TreasuryStore } from '../../../ledger/treasury/treasury-store.ts'
import { askNode } from '../../chain/chain-reader.ts'
import { nodeTransport } from '../../chain/node-transport.ts'
import type { BatchForm, PayerNonce } from '../../chain/settlement-calls.ts'
import type { SettlementState } from '../../ports/own-settlement.ts'
import { createOwnFacilitator, type OwnFacilitatorOptions } from '../own-facilitator.ts'
import { settleDeadlines } from '../settle-deadlines.ts'
import { createDataFee } from './gas/data-fee.ts'
import { findBatchForm } from './queue/choose-batch.ts'
import { createSettlementQueue, type SettlementQueueOptions } from './queue/settlement-queue.ts'
import { createSettler, type SettlerOptions } from './queue/settler.ts'
import { openRpcSession } from './rpc-session.ts'
import { type SettlementClock, SYSTEM_CLOCK } from './settlement-clock.ts'
import { createTreasury, purposeOf, type TreasuryOptions } from './treasury/treasury.ts'

export interface SelfFacilitatorOptions
  extends Pick<
      SettlementQueueOptions,
      'account' | 'chainId' | 'onSigned' | 'lock' | 'journal' | 'maxCost' | 'finalityDepth'
    >,
    Pick<OwnFacilitatorOptions, 'token' | 'channels'> {
  /** `accept` by default. */
  readonly contractWallets?: OwnFacilitatorOptions['contractWallets']
  /** Books what is spent and bounds what is lost; absent: neither. */
  readonly treasury?: TreasuryOptions
  /** In order of preference. */
  readonly rpcUrls: readonly string[]
  /** Used instead of `rpcUrls`. */
  readonly transport?: Transport
  readonly clock?: SettlementClock
  /** Milliseconds; the defaults suit Base. */
  readonly timing?: Partial<SettlementQueueOptions['timing'] & { readonly settleMs: number }>
  /** The most authorizations in one transaction, 64 by default; milliseconds to gather them, 25 by default. */
  readonly batch?: Partial<SettlerOptions['batch']>
  /** Milliseconds one request to the node may take; 5,000 by default. */
  readonly requestTimeoutMs?: number
}

export interface SelfFacilitator extends FacilitatorClient {
  /** Whether the operator pays for an act at the present price. Rejects with ChainUnavailable. */
  admits(act: ChannelAct): ReturnType<TreasuryStore['mayAct']>
  settlementState(): SettlementState
  /** How settlements share a transaction; null if each has its own. */
  batchForm(): Promise<BatchForm | null>
  /** Offers late transactions again; also called every few seconds until `close`. */
  tend(): Promise<void>
  close(): void
}

/** Below the 20 s that a sale waits for a settlement. */
const SETTLE_MS = 18_000
const TIMING = { confirmMs: 15_000, lookMs: 500, replaceMs: 6_000 }
const BATCH = { most: 64, gatherMs: 25 }
const REQUEST_TIMEOUT_MS = 5_000
const TEND_MS = 5_000
/** The packages ask twice in one settlement, and payers return; the settler reads a payer's code again before it sends. */
const CODES = { most: 10_000, lifeMs: 60_000 }

/** A facilitator inside this process, which settles over a node's JSON-RPC with a key of the operator. */
export function createSelfFacilitator(options: SelfFacilitatorOptions): SelfFacilitator {
  const {
    rpcUrls,
    contractWallets = 'accept',
    timing,
    requestTimeoutMs: timeoutMs = REQUEST_TIMEOUT_MS,
    // No retries: a repeated broadcast would be answered "nonce too low" for a transaction that was taken.
    transport = nodeTransport({ rpcUrls, timeoutMs, retryCount: 0 }),
    clock = SYSTEM_CLOCK,
    channels,
    treasury,
    batch,
    ...others
  } = options
  const { token, account } = others
  const { address: sender } = account
  const client = createPublicClient({ transport, cacheTime: 0 })
  const { settleMs = SETTLE_MS, ...queueTiming } = timing ?? {}
  const dataFee = createDataFee(client, clock)
  const books = treasury === undefined ? undefined : createTreasury(treasury, dataFee)
  const queue = createSettlementQueue({
    ...others,
    client,
    clock,
    dataFee,
    ...(books === undefined ? {} : { treasury: books }),
    timing: { ...TIMING, ...queueTiming },
  })
  const settler = createSettler({
    client,
    clock,
    queue,
    sender,
    token,
    contractWallets,
    batch: { ...BATCH, ...batch },
  })
  const codeOf = memoizeBy((address: Hex) => client.getCode({ address }), {
    ...CODES,
    now: clock.monotonicMs,
  })
  const deadlineOf = settleDeadlines(settleMs)
  const network: Network = `eip155:${options.chainId}`
  const openSession: OwnFacilitatorOptions['openSession'] = (payload) => {
    const now = clock.monotonicMs()
    const deadline = payload === undefined ? now + settleMs : deadlineOf(payload, now)
    const purpose: Purpose = payload === undefined ? { kind: 'upkeep' } : purposeOf(payload)
    const payment = { authorization: payerNonceOf(payload), purpose, deadline }
    return openRpcSession({ client, settler, codeOf, sender, token, ...payment })
  }
  // Runs that wait for a node that does not answer would gather, and sales would later wait for all of them.
  const tend = memoize(queue.tend, 0, clock.monotonicMs)
  const timer = setInterval(() => void tend().catch(() => {}), TEND_MS).unref()
  return {
    ...createOwnFacilitator({ network, token, contractWallets, openSession, channels }),
    settlementState: queue.state,
    batchForm: () => findBatchForm(client),
    admits: async (act) =>
      books === undefined ? 'admitted' : queue.admits(act, await askNode(() => client.estimateFeesPerGas())),
    tend: queue.tend,
    close: () => clearInterval(timer),
  }
}

/** Undefined if the payment is not of the scheme `exact`. */
function payerNonceOf(payment: PaymentPayload | undefined): PayerNonce | undefined {
  const { from, nonce } = (payment?.payload.authorization ?? {}) as { from?: unknown; nonce?: unknown }
  if (typeof from !== 'string' || typeof nonce !== 'string') return undefined
  return { payer: from.toLowerCase() as Hex, nonce: nonce.toLowerCase() as Hex }
}
