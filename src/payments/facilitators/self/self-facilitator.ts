/**
 * Own settlement: this process as its own facilitator, with an account that pays the gas.
 *
 * In come signed authorizations of payers, and acts of channels. Out goes for each the hash of a final transaction, a
 * refusal that is certain, or the word that the outcome is not known yet.
 *
 * own-facilitator.ts, one folder up, verifies: signature, balance, and whether the call would revert. queue/ settles: it gathers
 * authorizations for some milliseconds (settler.ts, choose-batch.ts), takes the next nonce of the account under a lock that all
 * replicas share, signs one transaction for them, and watches it (receipts.ts). A transaction that is late is signed again at a
 * higher fee and the same nonce (replace-late-transaction.ts); a nonce whose transaction is lost is offered again
 * (lost-nonces.ts). transaction/ signs and broadcasts: the hash is on disk before the broadcast, so no crash hides a payment.
 * gas/ bounds what a transaction may cost. treasury/ books what was spent and ends sales before a day loses more than
 * the operator allows.
 *
 * No word of a node on a broadcast counts as "not sent": only the chain says what became of a nonce.
 *
 * Read queue/settlement-queue.ts first.
 */
import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload } from '@x402/core/types'
import { createPublicClient, type Hex, type Transport } from 'viem'
import { memoize, memoizeBy } from '../../../caches/memoize.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PayersAct, Purpose } from '../../../ledger/treasury/treasury-row.ts'
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
import { createTreasury, NO_TREASURY, purposeOf, type TreasuryOptions } from './treasury/treasury.ts'

/** The node, and the network it serves. */
type NodeOptions = Pick<SettlementQueueOptions, 'chainId' | 'finalityDepth'> & {
  /** In order of preference. */
  readonly rpcUrls: readonly string[]
  readonly transport?: Transport
  /** Milliseconds one request to the node may take; 5,000 by default. */
  readonly requestTimeoutMs?: number
}

/** Who signs, and how the nonces of the account are kept. */
type AccountOptions = Pick<SettlementQueueOptions, 'account' | 'onSigned' | 'lock' | 'journal'>

/** What is settled. */
type ServiceOptions = Pick<OwnFacilitatorOptions, 'token' | 'channels'> & {
  /** `accept` by default. */
  readonly contractWallets?: OwnFacilitatorOptions['contractWallets']
  /** The most authorizations in one transaction, 64 by default; milliseconds to gather them, 25 by default. */
  readonly batch?: Partial<SettlerOptions['batch']>
}

/** What it may cost. */
type CostOptions = Pick<SettlementQueueOptions, 'maxCost'> & {
  /** Books what is spent and bounds what is lost; absent: neither. */
  readonly treasury?: TreasuryOptions
}

export interface SelfFacilitatorOptions extends NodeOptions, AccountOptions, ServiceOptions, CostOptions {
  readonly clock?: SettlementClock
  /** Milliseconds; the defaults suit Base. */
  readonly timing?: Partial<SettlementQueueOptions['timing'] & { readonly settleMs: number }>
}

export interface SelfFacilitator extends FacilitatorClient {
  /** Whether the operator pays for an act at the present price. Rejects with ChainUnavailable. */
  admits(act: PayersAct): ReturnType<Ledger['mayAct']>
  settlementState(): SettlementState
  /** How settlements share a transaction; null if each has its own. */
  batchForm(): Promise<BatchForm | null>
  /** Offers late transactions again; also called every few seconds until `close`. */
  maintain(): Promise<void>
  close(): void
}

/** Below the 20 s that a sale waits for a settlement. */
const SETTLE_MS = 18_000
const TIMING = { confirmMs: 15_000, lookMs: 500, replaceMs: 6_000 }
const BATCH = { most: 64, gatherMs: 25 }
const REQUEST_TIMEOUT_MS = 5_000
const MAINTENANCE_MS = 5_000
/** The packages ask twice in one settlement, and payers return; the settler reads a payer's code again before it sends. */
const CODES = { most: 10_000, lifeMs: 60_000 }

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
  const books = treasury === undefined ? NO_TREASURY : createTreasury(treasury, dataFee)
  const queue = createSettlementQueue({
    ...others,
    client,
    clock,
    dataFee,
    treasury: books,
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
  const maintain = memoize(queue.maintain, 0, clock.monotonicMs)
  const timer = setInterval(() => void maintain().catch(() => {}), MAINTENANCE_MS).unref()
  return {
    ...createOwnFacilitator({ network, token, contractWallets, openSession, channels }),
    settlementState: queue.state,
    batchForm: () => findBatchForm(client),
    // Where nothing is bounded, no price is asked for.
    admits: async (act) =>
      treasury === undefined
        ? 'admitted'
        : queue.admits(act, await askNode(() => client.estimateFeesPerGas())),
    maintain: queue.maintain,
    close: () => clearInterval(timer),
  }
}

/** Undefined if the payment is not of the scheme `exact`. */
function payerNonceOf(payment: PaymentPayload | undefined): PayerNonce | undefined {
  const { from, nonce } = (payment?.payload.authorization ?? {}) as { from?: unknown; nonce?: unknown }
  if (typeof from !== 'string' || typeof nonce !== 'string') return undefined
  return { payer: from.toLowerCase() as Hex, nonce: nonce.toLowerCase() as Hex }
}
