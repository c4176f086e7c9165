import { type Hex, type PublicClient, parseAbi, type TransactionReceipt } from 'viem'
import { memoizeBy } from '../../../memoize.ts'
import type { QueueClock } from './queue-clock.ts'
import { isRevert } from './rpc-faults.ts'

/** The price of data on Ethereum, which comes on top of gas: at one address on every chain of the OP stack (predeploys). */
export const DATA_FEE_ORACLE = '0x420000000000000000000000000000000000000F'
const ABI = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
])
/** What a transaction has beside the data of its call. */
const FRAME_BYTES = 110
/** Sizes are asked about in these steps, so that most transactions need no question. */
const STEP = { bytes: 64n, gas: 50_000n }
/** The price follows Ethereum's blocks, of 12 s. */
const LIFE_MS = 10_000
const MOST_PRICES = 1_000

/** A call's data, as long as that of one settlement. */
export const SETTLEMENT_DATA: Hex = `0x${'00'.repeat(292)}`

export interface DataFee {
  /** At most this much, in wei, for a call that takes so much gas; 0 on a chain without the fee. Rejects if no node answers. */
  before(data: Hex, gas: bigint): Promise<bigint>
  /** All that a mined transaction has cost, in wei. */
  costOf(receipt: TransactionReceipt): Promise<bigint>
}

/** Asks the node for each length of data and amount of gas once in {@link LIFE_MS}. */
export function createDataFee(
  client: Pick<PublicClient, 'readContract'>,
  { monotonicMs }: QueueClock,
): DataFee {
  const priceOf = (functionName: 'getL1FeeUpperBound' | 'getOperatorFee') =>
    memoizeBy(
      async (argument: string): Promise<bigint> => {
        try {
          const args = [BigInt(argument)] as const
          return await client.readContract({ address: DATA_FEE_ORACLE, abi: ABI, functionName, args })
        } catch (error) {
          // Without the contract, or before the upgrade that brought the function, there is no such fee.
          if (isRevert(error)) return 0n
          throw error
        }
      },
      { most: MOST_PRICES, lifeMs: LIFE_MS, now: monotonicMs },
    )
  const priceOfData = priceOf('getL1FeeUpperBound')
  const operatorFee = priceOf('getOperatorFee')
  return {
    async before(data, gas) {
      const bytes = BigInt((data.length - 2) / 2 + FRAME_BYTES)
      const [fee, operator] = await Promise.all([
        priceOfData(roundUp(bytes, STEP.bytes)),
        operatorFee(roundUp(gas, STEP.gas)),
      ])
      return fee + operator
    },
    async costOf(receipt) {
      const { l1Fee, operatorFeeScalar, operatorFeeConstant } = receipt as unknown as Record<string, unknown>
      const hasOperatorFee = weiOf(operatorFeeScalar) + weiOf(operatorFeeConstant) > 0n
      const operator = hasOperatorFee ? await operatorFee(String(receipt.gasUsed)) : 0n
      return receipt.gasUsed * receipt.effectiveGasPrice + weiOf(l1Fee) + operator
    },
  }
}

const roundUp = (value: bigint, step: bigint): string => String(((value + step - 1n) / step) * step)

/** Members that only chains of this kind give: hexadecimal text, or absent. */
const weiOf = (member: unknown): bigint =>
  typeof member === 'string' && /^0x[0-9a-f]{1,64}$/i.test(member) ? BigInt(member) : 0n
