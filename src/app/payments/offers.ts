import type { x402ResourceServer } from '@x402/core/server'
import { createResourceServer } from '../../payments/facilitators/resource-server.ts'
import { channelTerms } from '../../payments/terms/channel-terms.ts'
import { buildQuotes } from '../../payments/terms/quotes.ts'
import { buildTerms, type Terms } from '../../payments/terms/terms.ts'
import { createReceiptSigner } from '../../receipts/receipt-signer.ts'
import { mapAll } from '../../values/non-empty.ts'
import { extensionsFor } from './declare-extensions.ts'
import type { PayableNetwork, PaymentLayerOptions } from './payment-layer-options.ts'

export interface OfferedNetwork extends PayableNetwork {
  readonly server: x402ResourceServer
  readonly terms: Terms
}

export type Offers = Awaited<ReturnType<typeof createOffers>>

export async function createOffers({
  networks: payable,
  payTo,
  receiptKey,
  baseUrl,
  registry,
  now,
  channels: parts,
}: Pick<
  PaymentLayerOptions,
  'networks' | 'payTo' | 'receiptKey' | 'baseUrl' | 'registry' | 'now' | 'channels'
>) {
  const networks = await Promise.all(
    mapAll(payable, async (each): Promise<OfferedNetwork> => {
      const server = await createResourceServer(each.facilitator, each.network)
      return { ...each, server, terms: await buildTerms(server, each.network, payTo) }
    }),
  )
  const [{ server, terms: first }] = networks
  const terms = mapAll(networks, (each) => each.terms)
  const signer = createReceiptSigner(receiptKey, baseUrl)
  const channels = parts === undefined ? undefined : { ...parts, terms: channelTerms(first, parts) }
  const { quotes, renew } = await buildQuotes({
    server,
    terms,
    registry,
    baseUrl,
    declareExtensions: extensionsFor({ baseUrl, registry, terms, signer, now }),
    ...(channels === undefined ? {} : { channelOffer: channels.terms.requirementsFor }),
  })
  // The networks in their order; no channels if they are off.
  return { networks, signer, quotes, renewQuotes: renew, channels }
}
