import { beforeEach, describe, expect, test, vi } from 'vitest'
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
  reader = withFailover(nodes.map(nodeReader), (index) => switches.push(index))
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time)
  return () => now.mockRestore()
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

describe('three nodes', () => {
  const named = ['a', 'b', 'c'] as const
  type Name = (typeof named)[number]
  /** Nodes that answer with their name; some are away, have a defect, or hang. */
  function three(change: Partial<Record<Name, 'away' | 'defect'>> = {}) {
    const state = { ...change }
    const said: string[] = []
    const heads: Record<Name, bigint> = { a: 100n, b: 100n, c: 100n }
    const answer = (name: Name, question: string, args: readonly unknown[]) => {
      said.push([name, question, ...args].join(' '))
      if (state[name] === 'away') throw new ChainUnavailable(`${name} is away`)
      if (state[name] === 'defect') throw new TypeError(`${name} has a defect`)
      return name
    }
    const readers = named.map(
      (name) =>
        new Proxy({} as ChainReader, {
          get:
            (_, question: string) =>
            async (...args: unknown[]) => {
              const answered = answer(name, question, args)
              return question === 'head' ? { number: heads[name], timestamp: 0 } : answered
            },
        }),
    )
    const switched: number[] = []
    const failover = withFailover(readers, (index) => switched.push(index))
    const surveys = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        time += SURVEY_MS
        await failover.head().catch(() => {})
        await new Promise(setImmediate)
      }
    }
    return { failover, said, state, heads, switched, surveys, readers }
  }

  test('are asked in their order, each question with what it asks for', async () => {
    const { failover, said } = three({ a: 'away', b: 'away' })
    const query = 'query' as never
    expect(await failover.block(7n)).toBe('c')
    for (const ask of [
      () => failover.hasCode('0x1'),
      () => failover.balance('0x2'),
      () => failover.authorizationUsed('0x3', '0x4'),
      () => failover.authorizationUsed('0x3', '0x4', 5n),
      () => failover.trace(query),
      () => failover.transfersTo('0x6', 1n, 2n),
      () => failover.chainId(),
    ])
      expect(await ask()).toBe('c')
    const asked = [
      ...[
        'block 7',
        'hasCode 0x1',
        'balance 0x2',
        'authorizationUsed 0x3 0x4',
        'authorizationUsed 0x3 0x4 5',
      ],
      ...['trace query', 'transfersTo 0x6 1 2', 'chainId'],
    ]
    expect(said).toEqual(asked.flatMap((each) => named.map((name) => `${name} ${each}`)))
  })

  test('are asked in their order behind the one in use', async () => {
    const { failover, said, state, switched, surveys } = three({ a: 'away' })
    await surveys(2)
    expect(switched).toEqual([1])
    said.length = 0
    state.b = 'away'
    await failover.chainId()
    state.a = undefined as never
    await failover.chainId()
    expect(said).toEqual(['b chainId', 'a chainId', 'c chainId', 'b chainId', 'a chainId'])
  })

  test('that are all away are named by the first fault; a defect is not asked of the others', async () => {
    const away = three({ a: 'away', b: 'away', c: 'away' })
    await expect(away.failover.chainId()).rejects.toThrow('a is away')
    const defect = three({ a: 'defect' })
    await expect(defect.failover.chainId()).rejects.toThrow('a has a defect')
    expect(defect.said).toEqual(['a chainId'])
  })

  test('are left for the first that is well, and left alone while none is', async () => {
    const { state, switched, surveys } = three({ a: 'away', b: 'away', c: 'away' })
    await surveys(3)
    expect(switched).toEqual([])
    state.c = undefined as never
    await surveys(1)
    expect(switched).toEqual([2])
    state.b = undefined as never
    await surveys(11)
    expect(switched).toEqual([2])
    await surveys(1)
    expect(switched).toEqual([2, 1])
    state.a = undefined as never
    await surveys(12)
    expect(switched).toEqual([2, 1, 0])
  })

  test('are well up to fifteen blocks behind the best of them', async () => {
    for (const [behind, expected] of [
      [15n, []],
      [16n, [2]],
    ] as const) {
      const { heads, switched, surveys } = three()
      heads.c = 100n + behind
      await surveys(2)
      expect(switched).toEqual(expected)
    }
  })

  test('are surveyed every five seconds at most, and never twice at once', async () => {
    const { failover, said, readers } = three()
    const looks = () => said.filter((each) => each === 'b head').length
    const seen = []
    for (const wait of [0, 4_999, 1, 4_999, 1]) {
      time += wait
      await failover.head()
      await new Promise(setImmediate)
      seen.push(looks())
    }
    expect(seen).toEqual([1, 1, 2, 2, 3])
    const held = Promise.withResolvers<{ number: bigint; timestamp: number }>()
    const hanging = withFailover([{ ...readers[0], head: () => held.promise } as never, readers[1] as never])
    said.length = 0
    void hanging.head()
    time += SURVEY_MS
    void hanging.head()
    expect(looks()).toBe(1)
    held.resolve({ number: 1n, timestamp: 0 })
    await new Promise(setImmediate)
    time += SURVEY_MS
    await hanging.head()
    expect(looks()).toBe(2)
  })

  test('one node needs no survey, and none is a defect', () => {
    const { readers } = three()
    const [only] = readers
    expect(withFailover([only as ChainReader])).toBe(only)
    expect(() => withFailover([])).toThrow('withFailover needs a node')
  })
})
