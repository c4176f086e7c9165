import type { x402ResourceServer } from '@x402/core/server'
import type { ChannelParts } from '../../payments/channels/channels.ts'
import { createReceiptSigner, type ReceiptSigner } from '../../payments/extensions/receipt-signer.ts'
import { createResourceServer } from '../../payments/facilitators/resource-server.ts'
import { type ChannelTerms, channelTerms } from '../../payments/terms/channel-terms.ts'
import { quoteCache } from '../../payments/terms/quote-cache.ts'
import { buildQuotes, type QuoteBook } from '../../payments/terms/quotes.ts'
import { buildTerms, type Terms } from '../../payments/terms/terms.ts'
import { loadReceiptKey } from '../keys/signing-keys.ts'
import { extensionsFor } from './declare-extensions.ts'
import type { PaymentLayerOptions } from './payment-layer-options.ts'

export interface Offers {
  readonly server: x402ResourceServer
  readonly terms: Terms
  readonly signer: ReceiptSigner
  readonly quotes: QuoteBook
  readonly renewQuotes: () => Promise<void>
  /** Absent if payment channels are off. */
  readonly channels?: ChannelParts & { readonly terms: ChannelTerms }
}

export async function createOffers({
  facilitator,
  network,
  payTo,
  receiptKey,
  dataDir,
  baseUrl,
  registry,
  now,
  channels: parts,
}: Pick<
  PaymentLayerOptions,
  'facilitator' | 'network' | 'payTo' | 'receiptKey' | 'dataDir' | 'baseUrl' | 'registry' | 'now' | 'channels'
>): Promise<Offers> {
  const server = await createResourceServer(facilitator, network)
  const terms = await buildTerms(server, network, payTo)
  const signer = createReceiptSigner(loadReceiptKey(receiptKey, dataDir), baseUrl)
  const channels =
    parts === undefined ? undefined : { ...parts, terms: channelTerms(terms, parts.authorizer.address) }
  const declareExtensions = extensionsFor({
    baseUrl,
    registry,
    requirements: terms.requirements,
    signer,
    now,
  })
  const { quotes, renew } = await quoteCache(() =>
    buildQuotes({
      server,
      terms,
      registry,
      baseUrl,
      declareExtensions,
      ...(channels === undefined ? {} : { channelOffer: channels.terms.requirementsFor }),
    }),
  )
  return {
    server,
    terms,
    signer,
    quotes,
    renewQuotes: renew,
    ...(channels === undefined ? {} : { channels }),
  }
}
