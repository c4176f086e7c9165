import type { PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { createFirstBroadcast } from '../../../../src/payments/facilitators/self/first-broadcast.ts'

test('a node without the synchronous call gets the transaction by the other one, and is asked for it once', async () => {
  const taken = Promise.withResolvers<void>()
  const calls: string[] = []
  const client = {
    sendRawTransactionSync: async () => {
      calls.push('sync')
      throw Object.assign(new Error('no such method'), { code: -32601 })
    },
    sendRawTransaction: async () => {
      calls.push('plain')
      await taken.promise
    },
  } as unknown as PublicClient
  const send = createFirstBroadcast(client)
  let isOver = false
  const first = send('0x01', '0x02').finally(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  taken.resolve()
  expect(await first).toBeUndefined()
  await send('0x01', '0x02')
  expect(calls).toEqual(['sync', 'plain', 'plain'])
})
