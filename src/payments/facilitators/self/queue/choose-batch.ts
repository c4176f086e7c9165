import { type Hex, isHex, type PublicClient } from 'viem'
import { packable } from '../../../chain/aggregator/packed-batch.ts'
import { ChainUnavailable } from '../../../chain/chain-reader.ts'
import type { ContractCall } from '../../../chain/contract-call.ts'
import { AGGREGATOR, type BatchForm, batchOf } from '../../../chain/settlement-calls.ts'
import { estimateGas, SETTLEMENT_GAS } from '../gas/gas.ts'

export interface ChosenBatch<Item> {
  /** What can be sent as one transaction; two or more, or none. */
  readonly fit: readonly Item[]
  readonly gas: bigint
  /** Payers with code, calls that would fail or are not packed, or all on a chain without batches. */
  readonly others: readonly Item[]
}

/** With fewer, one transaction for each costs less. */
const LEAST: Readonly<Record<BatchForm, number>> = { deployed: 2, 'sent along': 3 }
/** No transfer takes less gas; a batch that does calls nothing. */
const LEAST_GAS = 30_000n

/**
 * One request, if none of the calls may fail or belong to a payer with code; otherwise its gas could be that of a
 * failure.
 */
export async function chooseBatch<Item extends { readonly call: ContractCall }>(
  client: PublicClient,
  sender: Hex,
  items: readonly Item[],
  form: BatchForm,
): Promise<ChosenBatch<Item>> {
  const gasOf = async (batch: readonly Item[]) => {
    if (batch.length < LEAST[form]) return undefined
    const whole = batchOf(callsOf(batch), form, 'all or nothing')
    const most = SETTLEMENT_GAS * BigInt(batch.length)
    const gas = await estimateGas(client, sender, whole, {}, most).catch(() => 0n)
    return gas < LEAST_GAS * BigInt(batch.length) ? undefined : gas
  }
  const packed = packable(items)
  const gas = packed.length === items.length ? await gasOf(items) : undefined
  if (gas !== undefined) return { fit: items, gas, others: [] }
  const made = packed.length < LEAST[form] ? [] : await report(client, sender, callsOf(packed))
  const fit = packed.filter((_, index) => made[index] === true)
  const newGas = await gasOf(fit)
  if (newGas === undefined) return { fit: [], gas: 0n, others: items }
  return { fit, gas: newGas, others: items.filter((item) => !fit.includes(item)) }
}

const callsOf = (items: readonly { readonly call: ContractCall }[]) => items.map(({ call }) => call)

/** How the chain makes batches; null if its node does not run code without an address. Rejects if it does not answer. */
export async function findBatchForm(client: PublicClient): Promise<BatchForm | null> {
  if (((await client.getCode({ address: AGGREGATOR })) ?? '0x') !== '0x') return 'deployed'
  return report(client, AGGREGATOR, [NOTHING]).then(
    () => 'sent along',
    () => null,
  )
}

const NOTHING: ContractCall = {
  to: '0x000000000000000000000000000000000000dEaD',
  data: `0xe3ee160e${'00'.repeat(288)}`,
}

/** Which calls would succeed, made one after the other, in a transaction that carries the aggregator's code. */
async function report(
  client: PublicClient,
  sender: Hex,
  calls: readonly ContractCall[],
): Promise<readonly boolean[]> {
  const { data } = batchOf(calls, 'sent along', 'report')
  const made: unknown = await client.request({
    method: 'eth_call',
    params: [{ from: sender, data }, 'latest'],
  })
  if (!isHex(made) || made.length !== 2 + 2 * calls.length)
    throw new ChainUnavailable('the node did not answer with one byte for each call')
  return calls.map((_, index) => made.slice(2 + 2 * index, 4 + 2 * index) === '01')
}
