import type { Hex } from 'viem'
import { askNode } from '../../../chain/chain-reader.ts'
import { nodeClient } from '../../../chain/node-transport.ts'
import type { GasLevel } from '../../../ports/own-settlement.ts'
import { SYSTEM_CLOCK } from '../settlement-clock.ts'
import { presentPrice } from './cost-bound.ts'
import { createDataFee, SETTLEMENT_DATA } from './data-fee.ts'
import { SETTLEMENT_GAS, USUAL_GAS } from './gas.ts'

const TIMEOUT_MS = 5_000

/** The gauge rejects with `ChainUnavailable` if the node does not answer. */
export function createGasGauge(options: { readonly rpcUrls: readonly string[]; readonly account: Hex }) {
  const client = nodeClient({ rpcUrls: options.rpcUrls, timeoutMs: TIMEOUT_MS, retryCount: 1 })
  const dataFee = createDataFee(client, SYSTEM_CLOCK)
  return (): Promise<GasLevel> =>
    askNode(async () => {
      const [balance, fees, data] = await Promise.all([
        client.getBalance({ address: options.account }),
        client.estimateFeesPerGas(),
        dataFee.before(SETTLEMENT_DATA, SETTLEMENT_GAS),
      ])
      const reserved = SETTLEMENT_GAS * fees.maxFeePerGas + data
      return {
        settlementsLeft: reserved === 0n ? Number.MAX_SAFE_INTEGER : Number(balance / reserved),
        cost: USUAL_GAS * presentPrice(fees) + data,
      }
    })
}
