import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'

/** A service of the same checks at the same terms, sold by the reference implementation's own middleware. */
export async function startStockService(options: {
  readonly facilitatorUrl: string
  /** What our service offers for each route; the reference is configured to offer the same. */
  readonly offers: ReadonlyMap<CheckType, PaymentRequired>
}) {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: options.facilitatorUrl }))
  server.register('eip155:8453', new ExactEvmScheme())
  const app = express()
  app.use(express.json())
  app.use(paymentMiddleware(Object.fromEntries([...options.offers].map(routeOf)), server))
  for (const type of options.offers.keys()) {
    app.post(
      `/api/validate/${type}`,
      (request, response) => void response.json(CHECKS[type](request.body.value)),
    )
  }
  const listener = app.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(listener, 'close')
      listener.close()
      listener.closeAllConnections()
      await closed
    },
  }
}

function routeOf([type, { accepts, resource, extensions }]: readonly [CheckType, PaymentRequired]) {
  const [terms] = accepts
  if (terms === undefined || resource === undefined) throw new Error('an offer without terms')
  const { scheme, payTo, network, maxTimeoutSeconds, amount, asset, extra } = terms
  const route = {
    accepts: { scheme, payTo, network, maxTimeoutSeconds, price: { amount, asset, extra } },
    resource: resource.url,
    ...(resource.description === undefined ? {} : { description: resource.description }),
    ...(resource.mimeType === undefined ? {} : { mimeType: resource.mimeType }),
    ...(resource.serviceName === undefined ? {} : { serviceName: resource.serviceName }),
    ...(resource.tags === undefined ? {} : { tags: resource.tags }),
    ...(extensions === undefined ? {} : { extensions: structuredClone(extensions) }),
  }
  return [`POST /api/validate/${type}`, route] as const
}
