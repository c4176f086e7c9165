import { type Hex, type PublicClient, parseAbi, type TransactionReceipt } from 'viem'
import { memoizeBy } from '../../../../caches/memoize.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { isRevert } from '../transaction/rpc-faults.ts'

/** At this address on every chain of the OP stack (predeploys). */
export const DATA_FEE_ORACLE = '0x420000000000000000000000000000000000000F'
const ABI = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
])
/** Bytes of a transaction beside the data of its call. */
const FRAME_BYTES = 110
/** Arguments are rounded up to these steps, so that most answers are in the cache. */
const STEP = { bytes: 64n, gas: 50_000n }
/** The price changes with Ethereum's blocks, every 12 s. */
const LIFE_MS = 10_000
const MOST_PRICES = 1_000

export const SETTLEMENT_DATA: Hex = `0x${'00'.repeat(292)}`

export interface DataFee {
  /** The most in wei for a call of so much gas; 0 on a chain without the fee. Rejects if no node answers. */
  before(data: Hex, gas: bigint): Promise<bigint>
  /** The whole cost of a mined transaction in wei, gas included. */
  costOf(receipt: TransactionReceipt): Promise<bigint>
}

export function createDataFee(
  client: Pick<PublicClient, 'readContract'>,
  { monotonicMs }: SettlementClock,
): DataFee {
  const priceOf = (functionName: 'getL1FeeUpperBound' | 'getOperatorFee') =>
    memoizeBy(
      async (argument: string): Promise<bigint> => {
        try {
          const args = [BigInt(argument)] as const
          return await client.readContract({ address: DATA_FEE_ORACLE, abi: ABI, functionName, args })
        } catch (error) {
          // A chain without the contract, or without this function, has no such fee.
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

/** Only chains of the OP stack have the member: hexadecimal text. */
const weiOf = (member: unknown): bigint =>
  typeof member === 'string' && /^0x[0-9a-f]{1,64}$/i.test(member) ? BigInt(member) : 0n
