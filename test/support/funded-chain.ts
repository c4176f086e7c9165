import { afterAll, beforeAll } from 'vitest'
import type { ChainBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { freshAccount } from './chain-payments.ts'

/** For a group of tests: a chain of its own, a payer with money on it, and an account to pay. */
export function fundedChain(start: () => Promise<ChainBackend>) {
  const payer = freshAccount()
  const payTo = freshAccount().address
  let chain: ChainBackend
  beforeAll(async () => {
    chain = await start()
    await chain.fund(payer.address, 1_000_000n)
  })
  afterAll(() => chain.stop())

  return {
    payer,
    payTo,
    get chain() {
      return chain
    },
  }
}
