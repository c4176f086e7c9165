import type { FacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { x402ResourceServer } from '@x402/express'
import { settleOnce } from './settle-once.ts'

/**
 * The x402 core around one facilitator client.
 *
 * What the facilitator supports is stated here rather than asked for: the quote needs nothing from it, so quotes and
 * documents work while it is down. Whether it supports our kind is checked apart, at startup or in the background.
 */
export async function createResourceServer(
  facilitator: FacilitatorClient,
  { id }: { readonly id: Network },
): Promise<x402ResourceServer> {
  const { verify, settle } = settleOnce(facilitator)
  const server = new x402ResourceServer({
    verify,
    settle,
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: id }],
      extensions: [],
      signers: {},
    }),
  }).register(id, new ExactEvmScheme())
  await server.initialize()
  return server
}
