import type { FacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { x402ResourceServer } from '@x402/express'
import { settleOnce } from './settle-once.ts'

/** What the facilitator supports is stated, not asked for, so that quotes and documents work while it is down. */
export async function createResourceServer(
  facilitator: FacilitatorClient,
  { id }: { readonly id: Network },
): Promise<x402ResourceServer> {
  const server = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: settleOnce(facilitator),
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: id }],
      extensions: [],
      signers: {},
    }),
  }).register(id, new ExactEvmScheme())
  await server.initialize()
  return server
}
