import { randomBytes } from 'node:crypto'
import { type Hex, isAddressEqual, toHex } from 'viem'
import type { TokenLog } from '../../../src/payments/chain/authorization-logs.ts'
import type { Block } from '../../../src/payments/chain/chain-reader.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { MULTICALL3 } from '../multicall3.ts'
import { prepareCall } from './memory-calls.ts'
import { createMemoryToken, type UnplacedLog } from './memory-token.ts'

/** A log in its place. */
export interface MemoryLog extends TokenLog {
  readonly blockNumber: bigint
  readonly transactionHash: Hex
}

/** A chain of one token in memory: no node, no gas. It ends with the process. */
export interface MemoryChain {
  /** See `Sandbox.chainName`. */
  readonly name: string
  /** The result of a call now; throws `TokenRevert`. */
  call(to: Hex, data: Hex): Promise<Hex>
  /** Runs the call as a transaction in a block of its own; throws `TokenRevert`, without a transaction. */
  send(to: Hex, data: Hex): Promise<Hex>
  /** The logs of one transaction, none for one that does not exist. */
  transactionLogs(hash: Hex): readonly MemoryLog[]
  /** All logs whose two indexed values are these, oldest first. */
  logsAbout(first: Hex, second: Hex): readonly MemoryLog[]
  /** All logs of the blocks, both included, oldest first. */
  logsBetween(fromBlock: bigint, toBlock: bigint): readonly MemoryLog[]
  head(): Block
  /** Undefined if there is no such block yet. */
  block(number: bigint): Block | undefined
  hasCode(address: Hex): boolean
}

const systemClock = () => Math.floor(Date.now() / 1000)

/** Starts an empty chain; `clock` gives UTC seconds. */
export function createMemoryChain(clock: () => number = systemClock): MemoryChain {
  const token = createMemoryToken(TOKEN)
  const logs = createLogIndex()
  const timestamps = [clock()]
  const newest = () => timestamps.at(-1) as number

  // A block for every second in which the chain is read, so that its clock advances.
  const head = (): Block => {
    if (clock() > newest()) timestamps.push(clock())
    return { number: BigInt(timestamps.length - 1), timestamp: newest() }
  }

  return {
    name: randomBytes(16).toString('hex'),
    head,
    call: async (to, data) => (await prepareCall(token, to, data))(head().timestamp, false).result,
    send: async (to, data) => {
      const step = await prepareCall(token, to, data)
      const { timestamp } = head()
      const done = step(timestamp, true)
      timestamps.push(timestamp)
      return logs.place(done.logs, BigInt(timestamps.length - 1))
    },
    transactionLogs: logs.ofTransaction,
    logsAbout: logs.about,
    logsBetween: logs.between,
    block: (number) => {
      const timestamp = number > head().number ? undefined : timestamps[Number(number)]
      return timestamp === undefined ? undefined : { number, timestamp }
    },
    hasCode: (address) => isAddressEqual(address, TOKEN) || isAddressEqual(address, MULTICALL3),
  }
}

function createLogIndex() {
  const byTransaction = new Map<string, MemoryLog[]>()
  const byTopics = new Map<string, MemoryLog[]>()
  const all: MemoryLog[] = []

  const addTo = (index: Map<string, MemoryLog[]>, key: string, log: MemoryLog) => {
    const list = index.get(key)
    if (list === undefined) index.set(key, [log])
    else list.push(log)
  }

  return {
    /** Gives the logs of one new transaction their places and returns its hash. */
    place: (unplaced: readonly UnplacedLog[], blockNumber: bigint): Hex => {
      const transactionHash = toHex(randomBytes(32))
      unplaced.forEach((log, logIndex) => {
        const placed = { ...log, logIndex, blockNumber, transactionHash }
        all.push(placed)
        addTo(byTransaction, transactionHash, placed)
        addTo(byTopics, log.topics.slice(1).join().toLowerCase(), placed)
      })
      return transactionHash
    },
    ofTransaction: (hash: Hex): readonly MemoryLog[] => byTransaction.get(hash) ?? [],
    about: (first: Hex, second: Hex): readonly MemoryLog[] => byTopics.get(`${first},${second}`) ?? [],
    between: (fromBlock: bigint, toBlock: bigint): readonly MemoryLog[] =>
      all.filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock),
  }
}
