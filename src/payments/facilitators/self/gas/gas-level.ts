import type { Hex } from 'viem'
import { askNode } from '../../../chain/chain-reader.ts'
import { nodeClient } from '../../../chain/node-transport.ts'
import { SYSTEM_CLOCK } from '../settlement-clock.ts'
import { createDataFee, SETTLEMENT_DATA } from './data-fee.ts'
import { SETTLEMENT_GAS } from './gas.ts'

export interface GasLevel {
  /** How many settlements the account can pay for at the present gas price, data fee included. */
  readonly settlementsLeft: number
}

export type GasStatus = 'ok' | 'low' | 'empty'

const LOW = 500
const TIMEOUT_MS = 5_000

export function gasStatusOf({ settlementsLeft }: Pick<GasLevel, 'settlementsLeft'>): GasStatus {
  if (settlementsLeft < 1) return 'empty'
  return settlementsLeft < LOW ? 'low' : 'ok'
}

/** The gauge rejects with `ChainUnavailable` if the node does not answer. */
export function createGasGauge(options: { readonly rpcUrls: readonly string[]; readonly account: Hex }) {
  const client = nodeClient({ rpcUrls: options.rpcUrls, timeoutMs: TIMEOUT_MS, retryCount: 1 })
  const dataFee = createDataFee(client, SYSTEM_CLOCK)
  return (): Promise<GasLevel> =>
    askNode(async () => {
      const [balance, { maxFeePerGas }, data] = await Promise.all([
        client.getBalance({ address: options.account }),
        client.estimateFeesPerGas(),
        dataFee.before(SETTLEMENT_DATA, SETTLEMENT_GAS),
      ])
      const cost = SETTLEMENT_GAS * maxFeePerGas + data
      return { settlementsLeft: cost === 0n ? Number.MAX_SAFE_INTEGER : Number(balance / cost) }
    })
}
