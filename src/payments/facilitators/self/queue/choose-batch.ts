import { decodeFunctionResult, type Hex, multicall3Abi, type PublicClient } from 'viem'
import { aggregate, type ContractCall, MULTICALL3, type PayerNonce } from '../../../chain/settlement-calls.ts'
import { estimateGas, SETTLEMENT_GAS } from '../gas/gas.ts'
import { readCodeSizes } from '../transaction/code-sizes.ts'

interface Candidate {
  readonly call: ContractCall
  readonly name?: PayerNonce
}

export interface ChosenBatch<Item> {
  /** What can be sent as one transaction; two or more, or none. */
  readonly fit: readonly Item[]
  /** Of that transaction. */
  readonly gas: bigint
  /** What can only be sent alone: payers with code, calls that would fail, or all if the chain has no Multicall3. */
  readonly others: readonly Item[]
}

/**
 * Takes two requests if all may be sent together: the sizes of the payers' code, and the gas of all calls. The gas is
 * estimated with no call allowed to fail: otherwise it could be the gas of a failure.
 */
export async function chooseBatch<Item extends Candidate>(
  client: PublicClient,
  sender: Hex,
  items: readonly Item[],
): Promise<ChosenBatch<Item>> {
  const gasOf = (batch: readonly Item[]) =>
    estimateGas(
      client,
      sender,
      aggregate(
        batch.map(({ call }) => call),
        false,
      ),
      {},
      SETTLEMENT_GAS * BigInt(batch.length),
    ).catch(() => undefined)
  const addresses = [MULTICALL3, ...items.map(({ call, name }) => name?.payer ?? call.to)]
  const [sizes, gas] = await Promise.all([readCodeSizes(client, addresses).catch(() => [0]), gasOf(items)])
  const [multicall3 = 0, ...payers] = sizes
  if (multicall3 === 0) return { fit: [], gas: 0n, others: items }
  const ordinary = items.filter((_, index) => payers[index] === 0)
  if (gas !== undefined && ordinary.length === items.length) return { fit: items, gas, others: [] }
  const works = ordinary.length < 2 ? [] : await simulate(client, sender, ordinary)
  const fit = ordinary.filter((_, index) => works[index] === true)
  const newGas = fit.length < 2 ? undefined : await gasOf(fit)
  if (newGas === undefined) return { fit: [], gas: 0n, others: items }
  return { fit, gas: newGas, others: items.filter((item) => !fit.includes(item)) }
}

/** Whether the chain has Multicall3 and the node runs {@link readCodeSizes}; rejects if it does not answer. */
export const hasMulticall3 = async (client: PublicClient): Promise<boolean> => {
  if (((await client.getCode({ address: MULTICALL3 })) ?? '0x') === '0x') return false
  return readCodeSizes(client, [MULTICALL3]).then(
    ([size = 0]) => size > 0,
    () => false,
  )
}

/** Which calls would succeed, made one after the other. */
async function simulate(
  client: PublicClient,
  sender: Hex,
  items: readonly Candidate[],
): Promise<readonly boolean[]> {
  const batch = aggregate(
    items.map(({ call }) => call),
    true,
  )
  const { data = '0x' } = await client.call({ account: sender, ...batch })
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data }).map(
    ({ success }) => success,
  )
}
