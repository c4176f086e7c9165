import type { PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { createFirstBroadcast } from '../../../../../src/payments/facilitators/self/transaction/first-broadcast.ts'

/** A node that answers the synchronous call with an error, and the other one when `taken` says so. */
function startNode(code: number, taken: Promise<void> = Promise.resolve()) {
  const calls: string[] = []
  const client = {
    sendRawTransactionSync: async () => {
      calls.push('sync')
      throw Object.assign(new Error('refused'), { code })
    },
    sendRawTransaction: () => {
      calls.push('plain')
      return taken
    },
  } as unknown as PublicClient
  return { calls, send: createFirstBroadcast(client) }
}

test.each([
  -32601, -32004, -32602,
])('a node without the synchronous call is asked for it once: %d', async (code) => {
  const { calls, send } = startNode(code)
  await send('0x01', '0x02')
  await send('0x01', '0x02')
  expect(calls).toEqual(['sync', 'plain', 'plain'])
})

test('one that refuses a transaction for another reason is asked again', async () => {
  const { calls, send } = startNode(-32000)
  await send('0x01', '0x02')
  await send('0x01', '0x02')
  expect(calls).toEqual(['sync', 'plain', 'sync', 'plain'])
})

test('a broadcast is over when the node has taken the transaction', async () => {
  const taken = Promise.withResolvers<void>()
  const { send } = startNode(-32601, taken.promise)
  let isOver = false
  const sent = send('0x01', '0x02').finally(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  taken.resolve()
  expect(await sent).toBeUndefined()
})

test.each([
  ['of this transaction', '0x02', true],
  ['of another', '0x03', false],
])('the receipt %s that the node answers with is believed: %s', async (_what, transactionHash, isOurs) => {
  const sent: unknown[] = []
  const receipt = { transactionHash }
  const client = {
    sendRawTransactionSync: async (transaction: unknown) => {
      sent.push(transaction)
      return receipt
    },
    sendRawTransaction: async () => void sent.push('plain'),
  } as unknown as PublicClient
  expect(await createFirstBroadcast(client)('0x01', '0x02')).toBe(isOurs ? receipt : undefined)
  expect(sent).toEqual([{ serializedTransaction: '0x01' }])
})

test('a broadcast that no node answers is over, since one may have it', async () => {
  const fail = async () => {
    throw new Error('no answer')
  }
  const client = { sendRawTransactionSync: fail, sendRawTransaction: fail } as unknown as PublicClient
  expect(await createFirstBroadcast(client)('0x01', '0x02')).toBeUndefined()
})
