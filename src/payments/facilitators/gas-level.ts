import { createPublicClient, type Hex, isAddressEqual } from 'viem'
import { ChainUnavailable } from '../chain/chain-reader.ts'
import { nodeTransport } from '../chain/node-transport.ts'
import { SETTLEMENT as CHANNEL_SETTLEMENT } from '../channels/voucher/digests.ts'
import type { Call } from './gas.ts'

export interface GasLevel {
  /** How many settlements the account can pay for at the present gas price. */
  readonly settlementsLeft: number
}

export type GasStatus = 'ok' | 'low' | 'empty'

/** Gas of one settlement; a transfer by an ordinary account takes 86,000. */
export const SETTLEMENT_GAS = 100_000n
/** The same with the fifth that a queue adds to an estimate. */
export const SINGLE_SETTLEMENT_GAS = (SETTLEMENT_GAS * 12n) / 10n
const LOW = 500
const TIMEOUT_MS = 5_000

export function gasStatusOf({ settlementsLeft }: GasLevel): GasStatus {
  if (settlementsLeft < 1) return 'empty'
  return settlementsLeft < LOW ? 'low' : 'ok'
}

/** Reads how many settlements an account can pay for; rejects with `ChainUnavailable` if the node does not answer. */
export function createGasGauge(options: { readonly rpcUrls: readonly string[]; readonly account: Hex }) {
  const transport = nodeTransport({ rpcUrls: options.rpcUrls, timeoutMs: TIMEOUT_MS, retryCount: 1 })
  const client = createPublicClient({ transport, cacheTime: 0 })
  return async (): Promise<GasLevel> => {
    try {
      const [balance, { maxFeePerGas }] = await Promise.all([
        client.getBalance({ address: options.account }),
        client.estimateFeesPerGas(),
      ])
      const cost = SETTLEMENT_GAS * maxFeePerGas
      return { settlementsLeft: cost === 0n ? Number.MAX_SAFE_INTEGER : Number(balance / cost) }
    } catch (error) {
      throw new ChainUnavailable('the balance could not be read', { cause: error })
    }
  }
}

/**
 * The gas that counts for `maxCost`. One act of payment channels pays for many calls, so for those it bounds the price of
 * gas at what a single settlement may pay; else one claim would pause all sales.
 */
export const gasInBound = ({ to }: Pick<Call, 'to'>, gas: bigint): bigint =>
  isAddressEqual(to, CHANNEL_SETTLEMENT) && gas > SINGLE_SETTLEMENT_GAS ? SINGLE_SETTLEMENT_GAS : gas
