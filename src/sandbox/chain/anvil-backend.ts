import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { createSelfFacilitator } from '../../payments/facilitators/self/self-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../addresses.ts'
import { type Closers, openAll } from '../closers.ts'
import { startAnvil } from './anvil.ts'
import { createFreshener, withFreshHead, withFreshTime } from './fresh-time.ts'
import { giveEther, mintTokens, provisionChain, transact } from './provision.ts'

export interface AnvilBackendOptions {
  readonly binary: string
  readonly facilitatorKey: Hex
  readonly dataDir?: string
  readonly searchPath?: string | undefined
  readonly log: (line: string) => void
}

/** Anvil keeps every block that it has mined. */
const NEVER_REPLACED = 0n

/** A sandbox chain on anvil, with the same facilitator and reader code that a live service runs. */
export function startAnvilBackend(options: AnvilBackendOptions) {
  return openAll(async (opened) => {
    const rpcUrl = await startChain(options, opened)
    const name = await provisionChain(rpcUrl)
    const account = privateKeyToAccount(options.facilitatorKey)
    await giveEther(rpcUrl, account.address)
    const freshen = createFreshener(rpcUrl)
    const facilitator = createSelfFacilitator({
      // A developer who tries the service finds one transaction for each sale.
      batch: { most: 1 },
      rpcUrls: [rpcUrl],
      account,
      chainId: BASE_CHAIN_ID,
      finalityDepth: NEVER_REPLACED,
      token: TOKEN,
      channels: true,
      timing: { lookMs: 20 },
    })
    opened.add(facilitator.close)
    const reader = { ...createRpcChainReader({ rpcUrl, token: TOKEN }), finalityDepth: NEVER_REPLACED }
    return {
      name,
      rpcUrl,
      chainReader: withFreshHead(reader, freshen),
      facilitator: withFreshTime(facilitator, freshen),
      fund: (address: Hex, amount: bigint) => mintTokens(rpcUrl, address, amount),
      transact: (to: Hex, data: Hex) => transact(rpcUrl, to, data),
      stop: opened.close,
    }
  })
}

export type ChainBackend = Awaited<ReturnType<typeof startAnvilBackend>>

/** Logs a line if anvil ends before it is stopped; returns its URL. */
async function startChain(options: AnvilBackendOptions, opened: Closers): Promise<string> {
  const anvil = await startAnvil(options)
  const stopping = { is: false }
  void anvil.ended.then(() => {
    if (!stopping.is)
      options.log('the local chain has ended unexpectedly; no payment is possible until a restart')
  })
  opened.add(() => {
    stopping.is = true
    return anvil.stop()
  })
  return anvil.rpcUrl
}
