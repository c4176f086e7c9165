import { eip3009ABI } from '@x402/evm'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseAbi,
  parseTransaction,
  toHex,
} from 'viem'
import type { BatchMode } from '../../src/payments/chain/aggregator/packed-batch.ts'
import { AGGREGATOR, partsOf } from '../../src/payments/chain/settlement-calls.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const SINGLE_GAS = 69_000n
const PLAIN_GAS = 21_000n
/** Of parts of a batch that are left out, and that fail, too (test/payments/facilitators/self/queue/batches.test.ts). */
const BATCH_GAS = { base: 30_000n, code: 36_000n, each: 44_000n, leftOut: 8_000n, failed: 38_000n }
const CREATED: Hex = '0x00000000000000000000000000000000000c0de0'
const TIP = 1_000n
const MOST_FUNDS = 10n ** 18n

export interface Call {
  /** Null for a batch that is sent along with its code. */
  readonly to: Hex | null
  readonly data: Hex
}

/** A transfer that a transaction is asked to make. */
export interface Transfer {
  readonly payer: Hex
  readonly payee: Hex
  readonly nonce: Hex
  readonly value: bigint
  readonly validBefore: number
}

export interface SignedByUs extends Call {
  readonly hash: Hex
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Sent by another program with the same key. */
  readonly isForeign: boolean
}

interface Log {
  readonly topics: readonly Hex[]
  readonly data: Hex
}

interface Mined {
  readonly transaction: SignedByUs
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly price: bigint
  readonly logs: readonly Log[]
}

/** What is true after a block. */
interface State {
  readonly nonce: number
  /** By payer and nonce: the transaction that used it, or null if its payer canceled it. */
  readonly used: ReadonlyMap<string, Hex | null>
  readonly money: ReadonlyMap<string, bigint>
}

interface Block {
  readonly number: number
  readonly time: number
  readonly mined: readonly Mined[]
  readonly after: State
}

export const keyOf = ({ payer, nonce }: Pick<Transfer, 'payer' | 'nonce'>): string =>
  `${payer}/${nonce}`.toLowerCase()

const isBatch = ({ to }: Pick<Call, 'to'>) => to === null || isAddressEqual(to, AGGREGATOR)

/** The transfers that a call makes, one by one or through the aggregator; none for any other call. */
export const transfersOf = (call: Call, mode: BatchMode = 'settle'): readonly Transfer[] =>
  partsOf(call, mode).flatMap(({ to, data }) => {
    if (!isAddressEqual(to, TOKEN)) return []
    const { args } = decodeFunctionData({ abi: eip3009ABI, data })
    const [payer, payee, value, , end, nonce] = args as unknown as [Hex, Hex, bigint, bigint, bigint, Hex]
    return [{ payer, payee, value, nonce, validBefore: Number(end) }]
  })

/** A refusal in the words of JSON-RPC. */
export class NodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** One account's view of a chain, over JSON-RPC: its pool, its blocks, the token and the aggregator. Time is the schedule's. */
export class SimulatedNode {
  readonly #account: Hex
  readonly #blocks: Block[]
  readonly #pool = new Map<number, SignedByUs>()
  /** Code by address; a payer with code never belongs into a batch. */
  readonly code = new Map<string, Hex>([[AGGREGATOR.toLowerCase(), '0x01']])
  /** Payers that burn what gas they get, while mined only. */
  readonly burners = new Set<string>()
  /** Blocks that the answers are behind. */
  behind = 0
  /** `none`: the method is not there. `late`: it answers that it took too long. */
  sync: 'none' | 'at once' | 'late' = 'none'
  baseFee = 1_000_000n
  time: number
  /** Gets each transaction that comes, before it is judged. */
  onReceived: (transaction: SignedByUs) => void = () => {}
  /** Runs when something comes that is no transaction. */
  onGarbage: () => void = () => {}
  /** Gets each part of a mined transaction that failed. */
  onFailedPart: (transfer: Transfer, why: string) => void = () => {}

  constructor(account: Hex, time: number) {
    this.#account = account
    this.time = time
    this.#blocks = [{ number: 1, time, mined: [], after: { nonce: 0, used: new Map(), money: new Map() } }]
  }

  get #head(): Block {
    return this.#blocks.at(-1) as Block
  }

  get #seen(): Block {
    return this.#blocks[Math.max(0, this.#blocks.length - 1 - this.behind)] as Block
  }

  /** Number of the newest block. */
  get height(): number {
    return this.#head.number
  }

  get nonce(): number {
    return this.#head.after.nonce
  }

  get poolSize(): number {
    return this.#pool.size
  }

  fund(payer: Hex, amount: bigint): void {
    const { after, ...block } = this.#head
    const money = new Map(after.money).set(payer.toLowerCase(), amount)
    this.#blocks.splice(-1, 1, { ...block, after: { ...after, money } })
  }

  /** The transaction that paid it; null if it was canceled, undefined if it is unused. */
  useOf(transfer: Pick<Transfer, 'payer' | 'nonce'>): Hex | null | undefined {
    return this.#head.after.used.get(keyOf(transfer))
  }

  /** All that was mined and is not taken back. */
  mined(): readonly Mined[] {
    return this.#blocks.flatMap(({ mined }) => mined)
  }

  cancel(transfer: Pick<Transfer, 'payer' | 'nonce'>): void {
    const { after } = this.#head
    this.#add([], { ...after, used: new Map(after.used).set(keyOf(transfer), null) })
  }

  /** A block with what the pool holds next, `most` transactions at the most. */
  mine(most: number): number {
    const mined: Mined[] = []
    let state = this.#head.after
    for (let next = this.#pool.get(state.nonce); next !== undefined; next = this.#pool.get(state.nonce)) {
      if (mined.length >= most || next.maxFeePerGas < this.baseFee) break
      const [done, after] = this.#execute(next, state, true)
      mined.push(done)
      this.#pool.delete(next.nonce)
      state = { ...after, nonce: state.nonce + 1 }
    }
    this.#add(mined, state)
    return mined.length
  }

  /** Takes the newest block back; its transactions wait again, or are gone. */
  dropBlock(isKept: boolean): boolean {
    if (this.#blocks.length < 2) return false
    const { mined } = this.#blocks.pop() as Block
    if (isKept) for (const { transaction } of mined) this.#pool.set(transaction.nonce, transaction)
    return mined.length > 0
  }

  /** The pool forgets everything. */
  evict(): void {
    this.#pool.clear()
  }

  /** Another program sends with our key, and is mined at once. */
  takeNonce(): void {
    const { nonce } = this.#head.after
    const hash = keccak256(toHex(`foreign ${this.#blocks.length} ${nonce}`))
    const price = { maxFeePerGas: this.baseFee * 2n, maxPriorityFeePerGas: TIP }
    this.#pool.set(nonce, {
      ...{ hash, nonce, gas: PLAIN_GAS, to: this.#account, data: '0x', isForeign: true },
      ...price,
    })
    this.mine(1)
  }

  /** Answers a request; throws a NodeError. */
  serve(method: string, params: readonly unknown[]): unknown {
    const [first, second] = params as [never, unknown]
    switch (method) {
      case 'eth_getTransactionCount':
        return numberToHex(second === 'pending' ? this.#pendingNonce() : this.#seen.after.nonce)
      case 'eth_getBalance':
        return numberToHex(MOST_FUNDS)
      case 'eth_getCode':
        return this.code.get(String(first).toLowerCase()) ?? '0x'
      case 'eth_getBlockByNumber':
        return this.#blockAnswer()
      case 'eth_maxPriorityFeePerGas':
        return numberToHex(TIP)
      case 'eth_estimateGas':
        return numberToHex(this.#estimate(first))
      case 'eth_call':
        return this.#call(first)
      case 'eth_sendRawTransaction':
        return this.#receive(first)
      case 'eth_sendRawTransactionSync':
        return this.#receiveSync(first)
      case 'eth_getTransactionReceipt':
        return this.#receipt(first)
      case 'eth_getTransactionByHash':
        return this.#transaction(first)
      default:
        throw new NodeError(-32601, `no method ${method}`)
    }
  }

  #add(mined: readonly Mined[], after: State): void {
    this.#blocks.push({ number: this.#head.number + 1, time: this.time, mined, after })
  }

  #pendingNonce(): number {
    let { nonce } = this.#seen.after
    if (this.behind === 0) while (this.#pool.has(nonce)) nonce += 1
    return nonce
  }

  #execute(transaction: SignedByUs, state: State, isMined: boolean, mode?: BatchMode): [Mined, State] {
    const transfers = transfersOf(transaction, mode)
    const isShared = isBatch(transaction)
    const cost = (count: number) =>
      BATCH_GAS.base + (transaction.to === null ? BATCH_GAS.code : 0n) + BATCH_GAS.each * BigInt(count)
    const price =
      this.baseFee + TIP < transaction.maxFeePerGas ? this.baseFee + TIP : transaction.maxFeePerGas
    const of = (isSuccess: boolean, gasUsed: bigint, logs: readonly Log[] = []): Mined => ({
      ...{ transaction, isSuccess, gasUsed, price, logs },
    })
    if (transfers.length === 0) return [of(true, PLAIN_GAS), state]
    const needed = isShared ? cost(transfers.length) : SINGLE_GAS
    const fails = (why: string): [Mined, State] => {
      if (isMined) for (const each of transfers) this.onFailedPart(each, why)
      return [of(false, transaction.gas < needed ? transaction.gas : needed), state]
    }
    if (transaction.gas < needed) return fails('out of gas')
    const logs: Log[] = []
    let after = state
    let spared = 0n
    for (const transfer of transfers) {
      const key = keyOf(transfer)
      const payer = transfer.payer.toLowerCase()
      const money = after.money.get(payer) ?? 0n
      const isBurning = isMined && this.burners.has(payer)
      if (isBurning && !isShared) {
        this.onFailedPart(transfer, 'burned')
        return [of(false, transaction.gas), state]
      }
      if (isBurning || (isShared && this.code.has(payer))) {
        if (isMined) this.onFailedPart(transfer, 'left out')
        spared += BATCH_GAS.each - BATCH_GAS.leftOut
        continue
      }
      const isUsed = after.used.has(key)
      const why = after.used.get(key) === null ? 'canceled' : isUsed ? 'used' : 'cannot be made'
      if (isUsed || money < transfer.value || this.time >= transfer.validBefore) {
        if (!isShared) return fails(why)
        if (isMined) this.onFailedPart(transfer, why)
        spared += BATCH_GAS.each - BATCH_GAS.failed
        continue
      }
      after = {
        ...after,
        used: new Map(after.used).set(key, transaction.hash),
        money: new Map(after.money).set(payer, money - transfer.value),
      }
      const { payer: from, payee, nonce, value } = transfer
      logs.push(
        {
          topics: encodeEventTopics({
            abi: EVENTS,
            eventName: 'AuthorizationUsed',
            args: { authorizer: from, nonce },
          }) as Hex[],
          data: '0x',
        },
        {
          topics: encodeEventTopics({
            abi: EVENTS,
            eventName: 'Transfer',
            args: { from, to: payee },
          }) as Hex[],
          data: encodeAbiParameters([{ type: 'uint256' }], [value]),
        },
      )
    }
    return [of(true, needed - spared, logs), after]
  }

  #probe({ to, data }: Call, mode: BatchMode): [Mined, State] {
    const gas = 30_000_000n
    const prices = { maxFeePerGas: this.baseFee, maxPriorityFeePerGas: TIP }
    return this.#execute(
      { ...{ to, data, gas, nonce: 0, hash: '0x', isForeign: false }, ...prices },
      this.#seen.after,
      false,
      mode,
    )
  }

  #estimate({ to = null, data }: { to?: Hex | null; data: Hex }): bigint {
    const [{ isSuccess, gasUsed, logs }] = this.#probe({ to, data }, 'all or nothing')
    const count = transfersOf({ to, data }, 'all or nothing').length
    if (!isSuccess || logs.length < 2 * count) throw new NodeError(3, 'execution reverted')
    return gasUsed
  }

  #call({ to = null, data }: { to?: Hex | null; data: Hex }): Hex {
    if (to !== null) return '0x'
    const [{ logs }] = this.#probe({ to, data }, 'report')
    const paid = new Set(logs.map(({ topics }) => topics[2]))
    const made = transfersOf({ to, data }, 'report').map(({ nonce }) => (paid.has(nonce) ? '01' : '00'))
    return `0x${made.join('')}`
  }

  #receive(raw: Hex): Hex {
    if (!raw.startsWith('0x02')) this.onGarbage()
    const parsed = parseTransaction(raw as `0x02${string}`)
    const { nonce = 0, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, to, data = '0x' } = parsed
    const transaction: SignedByUs = {
      ...{ hash: keccak256(raw), nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to: to ?? null, data },
      isForeign: false,
    }
    this.onReceived(transaction)
    if (nonce < this.#head.after.nonce) throw new NodeError(-32000, 'nonce too low')
    const old = this.#pool.get(nonce)
    if (old?.hash === transaction.hash) throw new NodeError(-32000, 'already known')
    const isRaised =
      old === undefined ||
      (maxFeePerGas * 10n >= old.maxFeePerGas * 11n &&
        maxPriorityFeePerGas * 10n >= old.maxPriorityFeePerGas * 11n)
    if (!isRaised) throw new NodeError(-32000, 'replacement transaction underpriced')
    this.#pool.set(nonce, transaction)
    return transaction.hash
  }

  #receiveSync(raw: Hex): unknown {
    if (this.sync === 'none') throw new NodeError(-32601, 'the method does not exist')
    const hash = this.#receive(raw)
    const receipt = this.sync === 'late' || this.mine(1) === 0 ? null : this.#receipt(hash)
    if (receipt === null) throw new NodeError(4, 'timeout')
    return receipt
  }

  #find(hash: Hex): [Block, Mined] | undefined {
    const seen = this.#blocks.slice(0, this.#blocks.indexOf(this.#seen) + 1)
    for (const block of seen) {
      const mined = block.mined.find(({ transaction }) => transaction.hash === hash)
      if (mined !== undefined) return [block, mined]
    }
    return undefined
  }

  #receipt(hash: Hex): unknown {
    const found = this.#find(hash)
    if (found === undefined) return null
    const [block, { transaction, isSuccess, gasUsed, price, logs }] = found
    const place = {
      ...{ blockNumber: numberToHex(block.number), blockHash: blockHash(block) },
      ...{ transactionHash: hash, transactionIndex: '0x0' },
    }
    return {
      ...place,
      ...{
        from: this.#account,
        to: transaction.to,
        contractAddress: transaction.to === null ? CREATED : null,
        type: '0x2',
      },
      ...{ status: isSuccess ? '0x1' : '0x0', gasUsed: numberToHex(gasUsed) },
      ...{ cumulativeGasUsed: numberToHex(gasUsed), effectiveGasPrice: numberToHex(price), logsBloom: '0x' },
      logs: logs.map((log, index) => ({
        ...{ ...place, ...log, address: TOKEN, logIndex: numberToHex(index), removed: false },
      })),
    }
  }

  #transaction(hash: Hex): unknown {
    const found = this.#find(hash)
    const pooled = this.behind === 0 ? [...this.#pool.values()].find((each) => each.hash === hash) : undefined
    const transaction = found?.[1].transaction ?? pooled
    if (transaction === undefined) return null
    const { nonce, gas, to, data, maxFeePerGas, maxPriorityFeePerGas } = transaction
    return {
      ...{ hash, nonce: numberToHex(nonce), gas: numberToHex(gas), to, input: data, from: this.#account },
      ...{ maxFeePerGas: numberToHex(maxFeePerGas), maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) },
      ...{ type: '0x2', value: '0x0', chainId: '0x2105', v: '0x0', r: '0x0', s: '0x0' },
      ...(found === undefined
        ? { blockNumber: null, blockHash: null, transactionIndex: null }
        : {
            blockNumber: numberToHex(found[0].number),
            blockHash: blockHash(found[0]),
            transactionIndex: '0x0',
          }),
    }
  }

  #blockAnswer(): unknown {
    const block = this.#seen
    return {
      ...{ number: numberToHex(block.number), hash: blockHash(block), timestamp: numberToHex(block.time) },
      ...{ baseFeePerGas: numberToHex(this.baseFee), gasLimit: '0x1c9c380', gasUsed: '0x0', size: '0x0' },
      ...{ difficulty: '0x0', totalDifficulty: '0x0', nonce: '0x0', transactions: [], uncles: [] },
    }
  }
}

const blockHash = ({ number, mined }: Block): Hex =>
  keccak256(toHex(`${number} ${mined.map(({ transaction }) => transaction.hash).join()}`))
