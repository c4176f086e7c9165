import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { isPaid, type TokenLog } from '../../../src/payments/chain/authorization-logs.ts'
import { TOKEN_ABI } from '../../../src/payments/chain/token-abi.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const nonce: Hex = `0x${'ab'.repeat(32)}`
const [payer, payTo] = [address('12'), address('34')]
const query = { payer, nonce, payTo, amount: 1_000n, fromBlock: 0n }

const abi = TOKEN_ABI
const used: TokenLog = {
  address: TOKEN,
  topics: encodeEventTopics({
    abi,
    eventName: 'AuthorizationUsed',
    args: { authorizer: payer, nonce },
  }) as Hex[],
  data: '0x',
  logIndex: 4,
}
const transfer = (change: Partial<TokenLog> = {}): TokenLog => ({
  address: TOKEN,
  topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from: payer, to: payTo } }) as Hex[],
  data: encodeAbiParameters([{ type: 'uint256' }], [1_000n]),
  logIndex: 5,
  ...change,
})

test('an authorization pays if the transfer is right behind it', () => {
  expect(isPaid(used, [used, transfer()], TOKEN, query)).toBe(true)
})

test.each<[string, readonly TokenLog[]]>([
  ['nothing', []],
  ['a transfer further behind', [transfer({ logIndex: 6 })]],
  ['a transfer of another token', [transfer({ address: address('56') })]],
  ['another authorization', [{ ...used, logIndex: 5 }, transfer({ logIndex: 6 })]],
  ['a transfer of another amount', [transfer({ data: encodeAbiParameters([{ type: 'uint256' }], [999n]) })]],
])('it does not pay if what follows is %s', (_what, others) => {
  expect(isPaid(used, [used, ...others], TOKEN, query)).toBe(false)
})
