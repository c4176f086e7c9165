import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { createSelfFacilitator } from '../../payments/facilitators/self-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../addresses.ts'
import { startAnvil } from './anvil.ts'
import type { ChainBackend } from './chain-backend.ts'
import { giveEther, mintTokens, provisionChain } from './provision.ts'

export interface AnvilBackendOptions {
  readonly binary: string
  readonly facilitatorKey: Hex
  readonly dataDir?: string
}

/** A sandbox chain on anvil, with the same facilitator and reader code that a live service runs. */
export async function startAnvilBackend(options: AnvilBackendOptions): Promise<ChainBackend> {
  const anvil = await startAnvil(options)
  const { rpcUrl } = anvil
  try {
    const name = await provisionChain(rpcUrl)
    await giveEther(rpcUrl, privateKeyToAccount(options.facilitatorKey).address)
    return {
      kind: 'anvil',
      name,
      rpcUrl,
      chainReader: createRpcChainReader({ rpcUrl, token: TOKEN }),
      facilitator: createSelfFacilitator({
        rpcUrl,
        privateKey: options.facilitatorKey,
        chainId: BASE_CHAIN_ID,
        token: TOKEN,
        receiptIntervalMs: 20,
      }),
      fund: (address, amount) => mintTokens(rpcUrl, address, amount),
      stop: anvil.stop,
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}
