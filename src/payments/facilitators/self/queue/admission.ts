import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import type { Hex } from 'viem'
import type { PayersAct } from '../../../../ledger/treasury/treasury-row.ts'
import type { CostBound } from '../gas/cost-bound.ts'
import { type DataFee, SETTLEMENT_DATA } from '../gas/data-fee.ts'
import { SINGLE_SETTLEMENT_GAS } from '../gas/gas.ts'
import type { Fees } from '../transaction/settlement-transaction.ts'
import type { Treasury } from '../treasury/treasury.ts'

export interface Admission {
  admits(act: PayersAct, fees: Fees): ReturnType<Treasury['mayAct']>
  /** Whether what a payer has brought in pays for a settlement of its own at these fees. */
  covers(payer: Hex, fees: Fees): Promise<boolean>
}

/** Gas offered for a deposit or refund, and its call as long as one. */
const ACT = { to: BATCH_SETTLEMENT_ADDRESS, gas: 175_000n, data: `0x${'00'.repeat(1_000)}` } as const

export function createAdmission({
  token,
  cost,
  dataFee,
  treasury,
}: {
  readonly token: Hex
  readonly cost: CostBound
  readonly dataFee: DataFee
  readonly treasury: Treasury
}): Admission {
  const admits: Admission['admits'] = async (act, fees) => {
    const price = { call: ACT, gas: ACT.gas, dataFee: await dataFee.before(ACT.data, ACT.gas) }
    return treasury.mayAct(act, cost.worstOf(fees, price))
  }

  const covers: Admission['covers'] = async (payer, fees) => {
    const worst = cost.worstOf(fees, {
      call: { to: token, data: SETTLEMENT_DATA },
      gas: SINGLE_SETTLEMENT_GAS,
      dataFee: await dataFee.before(SETTLEMENT_DATA, SINGLE_SETTLEMENT_GAS),
    })
    return (await treasury.mayAct({ kind: 'refund', payer }, worst)) === 'admitted'
  }

  return { admits, covers }
}
