import { randomUUID } from 'node:crypto'
import type { FacilitatorClient } from '@x402/core/server'
import type { Ledger } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import { createSignatureJudge } from '../payments/authorization/signature.ts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import { rememberCode } from '../payments/chain/code-cache.ts'
import { extensionsFor } from '../payments/extensions/declare-extensions.ts'
import { createReceiptSigner, type ReceiptIdentity } from '../payments/extensions/receipt-signer.ts'
import { receiptMaker } from '../payments/sale/receipt.ts'
import { createRefusalLimiter } from '../payments/sale/refusal-limiter.ts'
import {
  SALE_TIMING,
  type SaleContext,
  type SaleEvent,
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
  /** Directory of generated keys; null where the receipt key is given. */
  readonly dataDir: string | null
  /** The key offers and receipts are signed with (PEM or JWK); without it the one kept in `dataDir`. */
  readonly receiptKey?: string | null
  readonly finalityDepth: bigint
  readonly verifyAlways: boolean
  readonly proofOnChain: boolean
  readonly maySettle: () => boolean
  /** Shorter waits, for tests. */
  readonly timing?: Partial<SaleTiming>
  readonly now: () => number
  /** UTC milliseconds by the clock of the chain; ours is taken for it by default. */
  readonly chainTime?: () => number
  readonly log: Log
  /** Told of every count and event, for the metrics. */
  readonly onCount?: (surface: string, checkType: string, outcome: string) => void
  readonly onEvent?: (event: SaleEvent['event']) => void
}

/** The two doors and what belongs to them. */
export interface PaymentLayer {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quotes: QuoteBook
  /** Signs all offers anew; to be called every `OFFER_RENEWAL_MS`. */
  readonly renewQuotes: () => Promise<void>
  /** Who signs offers and receipts. */
  readonly receipts: ReceiptIdentity
  readonly terms: Terms
  readonly counts: SaleCounters
  readonly context: SaleContext
}

/** Wires the payment layer around its parts; everything that can be computed once is computed here. */
export async function buildPaymentLayer(options: PaymentLayerOptions): Promise<PaymentLayer> {
  const { registry, ledger, keys, baseUrl, now, log } = options
  const server = await createResourceServer(options.facilitator)
  const terms = await buildTerms(server, options.payTo)
  const receiptKey = loadReceiptKey(options.receiptKey, options.dataDir)
  const signer = createReceiptSigner(receiptKey, baseUrl)
  const declareExtensions = extensionsFor({ baseUrl, requirements: terms.requirements, signer, now })
  const shelf = await quoteCache(() => buildQuotes({ server, terms, registry, baseUrl, declareExtensions }))
  const { quotes } = shelf
  const context: SaleContext = {
    server,
    terms,
    quotes,
    receiptOf: receiptMaker(signer, baseUrl),
    registry,
    ledger,
    keys,
    now,
    chainTime: options.chainTime ?? now,
    chain: rememberCode(options.chain, now),
    judgeSignature: createSignatureJudge(terms),
    refusals: createRefusalLimiter(),
    owner: randomUUID(),
    finalityDepth: options.finalityDepth,
    verifyAlways: options.verifyAlways,
    proofOnChain: options.proofOnChain,
    maySettle: options.maySettle,
    timing: { ...SALE_TIMING, ...options.timing },
    report: (event) => {
      log.warn(event, 'sale')
      options.onEvent?.(event.event)
    },
  }
  const counts = announceCounts(createSaleCounters(ledger), options.onCount ?? (() => {}))
  return {
    sell: countSales(createSell(context), counts, now),
    holdVerdict: countWithheld(createHoldVerdict(context), counts, now),
    tasks: createTasks(context),
    quotes,
    renewQuotes: shelf.renew,
    receipts: { did: signer.did, kid: signer.kid, jwk: signer.jwk },
    terms,
    counts,
    context,
  }
}
