/** Gas, which no other work on the machine changes. */
import type { RowPlan } from '../bench.ts'
import { channelGasRow } from './channel-gas.ts'
import { settlementGasRow } from './settlement-gas.ts'

export const gas: RowPlan = {
  id: 'gas',
  run: async () => [await settlementGasRow(), await channelGasRow()],
}
