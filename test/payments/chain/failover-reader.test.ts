import { beforeEach, describe, expect, test } from 'vitest'
import { type ChainReader, ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { withFailover } from '../../../src/payments/chain/failover-reader.ts'
import { createMemoryChain } from '../../support/memory-chain/memory-chain.ts'
import { createMemoryChainReader } from '../../support/memory-chain/memory-chain-reader.ts'

const SURVEY_MS = 5_000
const OWNER = `0x${'11'.repeat(20)}` as const

interface Node {
  up: boolean
  behind: bigint
  asked: number
}

let time: number
let nodes: [Node, Node]
let switches: number[]
let reader: ChainReader

/** A node over the memory chain that can be away or behind. */
function nodeReader(node: Node): ChainReader {
  const real = createMemoryChainReader(createMemoryChain(() => 1_000))
  return {
    ...real,
    head: async () => {
      if (!node.up) throw new ChainUnavailable('down')
      return { number: 1_000n - node.behind, timestamp: 1_000 }
    },
    balance: async () => {
      if (!node.up) throw new ChainUnavailable('down')
      node.asked += 1
      return 7n
    },
  }
}

beforeEach(() => {
  time = 0
  nodes = [
    { up: true, behind: 0n, asked: 0 },
    { up: true, behind: 0n, asked: 0 },
  ]
  switches = []
  reader = withFailover(nodes.map(nodeReader), {
    onSwitch: (index) => switches.push(index),
    monotonicMs: () => time,
  })
})

/** Lets so many surveys happen. */
async function survey(times = 1) {
  for (let count = 0; count < times; count += 1) {
    time += SURVEY_MS
    await reader.head().catch(() => {})
    await new Promise(setImmediate)
  }
}

describe('two nodes', () => {
  test('the first is used while it is well, the second for what the first does not answer', async () => {
    await reader.balance(OWNER)
    nodes[0].up = false
    expect(await reader.balance(OWNER)).toBe(7n)
    expect(nodes.map(({ asked }) => asked)).toEqual([1, 1])
    expect(switches).toEqual([])
  })

  test('one bad survey changes nothing; two move to the second; a minute of good ones moves back', async () => {
    await survey()
    nodes[0].up = false
    await survey()
    nodes[0].up = true
    await survey()
    expect(switches).toEqual([])
    nodes[0].up = false
    await survey(2)
    expect(switches).toEqual([1])
    nodes[0].up = true
    await survey(11)
    expect(switches).toEqual([1])
    await survey()
    expect(switches).toEqual([1, 0])
  })

  test('a node that flaps does not make the one in use jump', async () => {
    nodes[0].up = false
    await survey(3)
    for (let count = 0; count < 50; count += 1) {
      nodes[0].up = !nodes[0].up
      await survey()
    }
    expect(switches).toEqual([1])
  })

  test('a node that is behind the other counts as failing', async () => {
    nodes[0].behind = 15n
    await survey(3)
    expect(switches).toEqual([])
    nodes[0].behind = 16n
    await survey(2)
    expect(switches).toEqual([1])
  })

  test('of two that were away, the first that is back is used at once', async () => {
    nodes[0].up = false
    nodes[1].up = false
    await survey(2)
    nodes[1].up = true
    await survey()
    expect(switches).toEqual([1])
  })

  test('with both away a question rejects as with one', async () => {
    nodes[0].up = false
    nodes[1].up = false
    await expect(reader.balance(OWNER)).rejects.toThrow(ChainUnavailable)
    await survey(3)
    expect(switches).toEqual([])
  })
})
