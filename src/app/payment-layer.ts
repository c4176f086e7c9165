import type { FacilitatorClient } from '@x402/core/server'
import { v4 as newId } from 'uuid'
import { currentRequestId } from '../http/headers/request-id.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import { fastestRecovery } from '../payments/authorization/recover-signer.ts'
import { createSignatureJudge } from '../payments/authorization/signature.ts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import { cacheCode } from '../payments/chain/code-cache.ts'
import { type ChannelParts, type Channels, createChannels } from '../payments/channels/channels.ts'
import type { ChannelEvent } from '../payments/channels/sale/channel-context.ts'
import { channelTerms } from '../payments/channels/terms/channel-terms.ts'
import { createVoucherJudge } from '../payments/channels/voucher/voucher-judge.ts'
import { extensionsFor } from '../payments/extensions/declare-extensions.ts'
import { createReceiptSigner, type ReceiptIdentity } from '../payments/extensions/receipt-signer.ts'
import { createMismatchLimiter } from '../payments/sale/mismatch-limiter.ts'
import { createNewcomers } from '../payments/sale/newcomers.ts'
import { createPaidCalls, type PaidCalls } from '../payments/sale/paid-calls.ts'
import { receiptMaker } from '../payments/sale/receipt.ts'
import { createRefusalLimiter } from '../payments/sale/refusal-limiter.ts'
import {
  SALE_TIMING,
  type SaleContext,
  type SaleReport,
  type SaleTiming,
} from '../payments/sale/sale-context.ts'
import {
  announceCounts,
  countSales,
  countWithheld,
  createSaleCounters,
  type SaleCounters,
} from '../payments/sale/sale-counters.ts'
import { createSell } from '../payments/sale/sell.ts'
import type { HoldVerdict, Sell, Tasks } from '../payments/sale.ts'
import { createBindings } from '../payments/secrets/bindings.ts'
import type { Keyring } from '../payments/secrets/keyring.ts'
import { createHoldVerdict } from '../payments/tasks/hold-verdict.ts'
import { createTasks } from '../payments/tasks/tasks.ts'
import { quoteCache } from '../payments/terms/quote-cache.ts'
import { buildQuotes, type QuoteBook } from '../payments/terms/quotes.ts'
import { createResourceServer } from '../payments/terms/resource-server.ts'
import { buildTerms, type Terms } from '../payments/terms/terms.ts'
import type { SkillRegistry } from '../skills/skill.ts'
import { loadReceiptKey } from './keys/signing-keys.ts'

export interface PaymentLayerOptions {
  readonly registry: SkillRegistry
  readonly ledger: Ledger
  readonly facilitator: FacilitatorClient
  readonly chain: ChainReader
  readonly keys: Keyring
  readonly baseUrl: string
  readonly payTo: string
  /** Directory of generated keys; null if the receipt key is configured. */
  readonly dataDir: string | null
  /** The key that signs offers and receipts (PEM or JWK); by default the one kept in `dataDir`. */
  readonly receiptKey?: string | null
  /** Payment channels; absent if they are off. */
  readonly channels?: ChannelParts
  readonly finalityDepth: bigint
  /** Blocks under the head at which a payment settles its row; 0 by default. */
  readonly settlementDepth?: bigint
  readonly verifyAlways: boolean
  readonly proofOnChain: boolean
  readonly maySettle: () => boolean
  /** Shorter waits, for tests. */
  readonly timing?: Partial<SaleTiming>
  readonly now: () => number
  /** UTC milliseconds by the chain's clock; the local clock by default. */
  readonly chainTime?: () => number | null
  /** Number of the newest block; null, the default, when it is not known. */
  readonly headNumber?: () => bigint | null
  readonly log: Log
  /** Called with every count and event, for the metrics. */
  readonly onCount?: (surface: string, checkType: string, outcome: string) => void
  readonly onEvent?: (event: SaleReport['event'] | ChannelEvent) => void
}

/** `sell`, `holdVerdict` and what belongs to them. */
export interface PaymentLayer {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quotes: QuoteBook
  /** Signs all offers again; call it every `OFFER_RENEWAL_MS`. */
  readonly renewQuotes: () => Promise<void>
  /** The public identity of the receipt key. */
  readonly receipts: ReceiptIdentity
  readonly terms: Terms
  readonly counts: SaleCounters
  readonly context: SaleContext
  /** Absent if channels are off. */
  readonly channels?: Channels
  /** Calls of `sell` and refunds under way. */
  readonly paidCalls: Pick<PaidCalls, 'finish'>
}

/** Wires the payment layer around its parts. Everything that can be computed once is computed here. */
export async function buildPaymentLayer(options: PaymentLayerOptions): Promise<PaymentLayer> {
  const { registry, ledger, keys, baseUrl, now, log } = options
  const server = await createResourceServer(options.facilitator)
  const terms = await buildTerms(server, options.payTo)
  const receiptKey = loadReceiptKey(options.receiptKey, options.dataDir)
  const signer = createReceiptSigner(receiptKey, baseUrl)
  const channelParts =
    options.channels === undefined
      ? undefined
      : { ...options.channels, terms: channelTerms(terms, options.channels.authorizer.address) }
  const declareExtensions = extensionsFor({
    baseUrl,
    registry,
    requirements: terms.requirements,
    signer,
    now,
    channels: channelParts !== undefined,
  })
  const cache = await quoteCache(() =>
    buildQuotes({
      server,
      terms,
      registry,
      baseUrl,
      declareExtensions,
      ...(channelParts === undefined ? {} : { channelOffer: channelParts.terms.requirementsFor }),
    }),
  )
  const { quotes } = cache
  const bindings = createBindings(ledger, keys)
  const recover = fastestRecovery()
  const context: SaleContext = {
    server,
    terms,
    quotes,
    receiptOf: receiptMaker(signer, baseUrl, bindings),
    registry,
    ledger,
    keys,
    now,
    chainTime: options.chainTime ?? now,
    headNumber: options.headNumber ?? (() => null),
    chain: cacheCode(options.chain, now),
    judgeSignature: createSignatureJudge(terms, recover),
    bindings,
    refusals: createRefusalLimiter(),
    mismatches: createMismatchLimiter(),
    newcomers: createNewcomers(ledger),
    owner: newId(),
    finalityDepth: options.finalityDepth,
    settlementDepth: options.settlementDepth ?? 0n,
    verifyAlways: options.verifyAlways,
    proofOnChain: options.proofOnChain,
    maySettle: options.maySettle,
    timing: { ...SALE_TIMING, ...options.timing },
    report: (event) => {
      log.warn({ requestId: currentRequestId(), ...event }, 'sale')
      options.onEvent?.(event.event)
    },
  }
  const counts = announceCounts(createSaleCounters(ledger), options.onCount ?? (() => {}))
  const sell = createSell(context)
  const channels =
    channelParts === undefined
      ? undefined
      : createChannels(context, sell, {
          ...channelParts,
          recover,
          judgeVoucher: createVoucherJudge(recover),
          facilitator: options.facilitator,
          signer,
          baseUrl,
          report: (event) => {
            log.warn({ event }, 'channels')
            options.onEvent?.(event)
          },
        })
  const paidCalls = createPaidCalls()
  return {
    sell: countSales(paidCalls.count(channels?.sell ?? sell), counts, now),
    ...(channels === undefined
      ? {}
      : { channels: { ...channels, refund: paidCalls.count(channels.refund) } }),
    paidCalls,
    holdVerdict: countWithheld(createHoldVerdict(context), counts, now),
    tasks: createTasks(context),
    quotes,
    renewQuotes: cache.renew,
    receipts: { did: signer.did, kid: signer.kid, jwk: signer.jwk },
    terms,
    counts,
    context,
  }
}
