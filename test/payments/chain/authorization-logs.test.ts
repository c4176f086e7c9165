import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  authorizationEvent,
  decodeTokenEvent,
  isPaid,
  type TokenLog,
} from '../../../src/payments/chain/authorization-logs.ts'
import { TOKEN_ABI } from '../../../src/payments/networks/token-abi.ts'
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
const transferTopics = (args: { readonly from: Hex; readonly to: Hex }) =>
  encodeEventTopics({ abi, eventName: 'Transfer', args }) as Hex[]
const transfer = (change: Partial<TokenLog> = {}): TokenLog => ({
  address: TOKEN,
  topics: transferTopics({ from: payer, to: payTo }),
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
  ['a transfer to another', [transfer({ topics: transferTopics({ from: payer, to: address('56') }) })]],
  ['a transfer from another', [transfer({ topics: transferTopics({ from: address('56'), to: payTo }) })]],
  ['a transfer before it', [transfer({ logIndex: 3 })]],
  ['a transfer of another amount', [transfer({ data: encodeAbiParameters([{ type: 'uint256' }], [999n]) })]],
])('it does not pay if what follows is %s', (_what, others) => {
  expect(isPaid(used, [used, ...others], TOKEN, query)).toBe(false)
})

const canceled: TokenLog = {
  ...used,
  topics: encodeEventTopics({
    abi,
    eventName: 'AuthorizationCanceled',
    args: { authorizer: payer, nonce },
  }) as Hex[],
}

test.each<[string, TokenLog, object, string | undefined]>([
  ['its use', used, {}, 'used'],
  ['its cancellation', canceled, {}, 'canceled'],
  ['its use, whatever the case of the nonce', used, { nonce: `0x${'AB'.repeat(32)}` }, 'used'],
  ['nothing if the nonce is another', used, { nonce: `0x${'ac'.repeat(32)}` }, undefined],
  ['nothing if the payer is another', used, { payer: payTo }, undefined],
  ['nothing if it is of another token', { ...used, address: payTo }, {}, undefined],
  ['nothing if it is a transfer', transfer(), {}, undefined],
  ['nothing if it cannot be read', { ...used, topics: used.topics.slice(0, 1) }, {}, undefined],
])('of an authorization a log says %s', (_what, log, change, event) => {
  expect(authorizationEvent(log, TOKEN, { payer, nonce, ...change })).toBe(event)
})

test('a log of the token is read, and one of another contract is not', () => {
  expect(decodeTokenEvent(transfer(), TOKEN)).toMatchObject({
    eventName: 'Transfer',
    args: { value: 1_000n },
  })
  expect(decodeTokenEvent(transfer(), payTo)).toBeUndefined()
  expect(decodeTokenEvent(transfer({ topics: [] }), TOKEN)).toBeUndefined()
})
