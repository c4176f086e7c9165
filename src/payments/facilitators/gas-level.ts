import { createPublicClient, http } from 'viem'
import { ChainUnavailable, type Hex } from '../chain/chain-reader.ts'

/** For how long the account that pays the gas will do: `empty` is less than one settlement, `low` less than 500. */
export type GasLevel = 'ok' | 'low' | 'empty'

/** A transfer by an ordinary account takes 86,000. */
const GAS_OF_ONE = 100_000n
const LOW = 500n
const TIMEOUT_MS = 5_000

/** Asks the node how many settlements an account can pay for at the present price; `ChainUnavailable` where it cannot. */
export function createGasGauge(options: { readonly rpcUrl: string; readonly account: Hex }) {
  const transport = http(options.rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1, batch: false })
  const client = createPublicClient({ transport, cacheTime: 0 })
  return async (): Promise<GasLevel> => {
    try {
      const [balance, { maxFeePerGas }] = await Promise.all([
        client.getBalance({ address: options.account }),
        client.estimateFeesPerGas(),
      ])
      const one = GAS_OF_ONE * maxFeePerGas
      if (balance < one) return 'empty'
      return balance < one * LOW ? 'low' : 'ok'
    } catch (error) {
      throw new ChainUnavailable('the balance could not be read', { cause: error })
    }
  }
}
