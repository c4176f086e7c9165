import type { FacilitatorClient } from '@x402/core/server'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { callRpc } from './json-rpc.ts'

const FRESH_MS = 2_000

/**
 * Mines a block before a call that depends on the chain's time, at most one in two seconds. Anvil judges calls by its
 * newest block and never frees the memory of one: regular blocks took 350 MiB in an hour.
 */
export function createFreshener(rpcUrl: string): () => Promise<void> {
  let mined = Promise.resolve<unknown>(undefined)
  let minedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - minedAt >= FRESH_MS) {
      minedAt = performance.now()
      // If the chain does not answer, the question itself reports that.
      mined = callRpc(rpcUrl, 'evm_mine').catch(() => {})
    }
    await mined
  }
}

export function withFreshTime(
  facilitator: FacilitatorClient,
  freshen: () => Promise<void>,
): FacilitatorClient {
  return {
    getSupported: () => facilitator.getSupported(),
    verify: async (payload, requirements) => {
      await freshen()
      return facilitator.verify(payload, requirements)
    },
    settle: async (payload, requirements) => {
      await freshen()
      return facilitator.settle(payload, requirements)
    },
  }
}

/** The head advances with time, even without payments. */
export function withFreshHead(reader: ChainReader, freshen: () => Promise<void>): ChainReader {
  return {
    ...reader,
    head: async () => {
      await freshen()
      return reader.head()
    },
  }
}
