import { v4 as newId } from 'uuid'
import { memoizeBy } from '../../caches/memoize.ts'
import { currentRequestId } from '../../http/headers/request-id.ts'
import { unexpectedError } from '../../http/unexpected-error.ts'
import type { RecoverSigner } from '../../payments/authorization/recover-signer.ts'
import { createSignatureJudge } from '../../payments/authorization/signature.ts'
import { createAccountShares } from '../../payments/sale/limits/account-shares.ts'
import { createMismatchLimiter } from '../../payments/sale/limits/mismatch-limiter.ts'
import { createNewPayers } from '../../payments/sale/limits/new-payers.ts'
import { createRefusalLimiter } from '../../payments/sale/limits/refusal-limiter.ts'
import { receiptMaker } from '../../payments/sale/purchase/receipt.ts'
import {
  type NetworkContext,
  SALE_TIMING,
  type SaleContext,
  type SaleReport,
} from '../../payments/sale/table/sale-context.ts'
import { createBindings } from '../../payments/secrets/bindings.ts'
import { mapAll } from '../../values/non-empty.ts'
import type { Offers } from './offers.ts'
import type { PaymentLayerOptions } from './payment-layer-options.ts'

/** Whether an address holds code is asked at most once a minute. */
const CODE = { most: 10_000, lifeMs: 60_000 }

export function createSaleContext(
  options: PaymentLayerOptions,
  { networks: offered, quotes, signer }: Offers,
  recover: RecoverSigner,
): SaleContext {
  const { registry, ledger, keys, baseUrl, now, log } = options
  const bindings = createBindings(ledger, keys)
  const networks = mapAll(
    offered,
    (each): NetworkContext => ({
      server: each.server,
      terms: each.terms,
      chain: { ...each.chain, hasCode: memoizeBy(each.chain.hasCode, { ...CODE, now }) },
      judgeSignature: createSignatureJudge(each.terms, recover),
      chainTime: each.chainTime ?? now,
      headNumber: each.headNumber ?? (() => null),
      pausedBy: each.pausedBy,
      losses: each.losses ?? { paidBy: 'facilitator' },
    }),
  )
  return {
    ...networks[0],
    networks: new Map(networks.map((each) => [each.terms.network.id, each])),
    quotes,
    receiptOf: receiptMaker(signer, baseUrl, bindings),
    registry,
    ledger,
    keys,
    now,
    bindings,
    refusals: createRefusalLimiter(),
    mismatches: createMismatchLimiter(),
    newPayers: createNewPayers(ledger),
    shares: createAccountShares(),
    owner: newId(),
    proofOnChain: options.proofOnChain,
    timing: { ...SALE_TIMING, ...options.timing },
    report: ({ error, ...event }: SaleReport & { readonly error?: unknown }) => {
      const thrown = error === undefined ? {} : unexpectedError(error)
      log.warn({ requestId: currentRequestId(), ...thrown, ...event }, 'sale')
      options.onEvent?.(event.event)
    },
  }
}
