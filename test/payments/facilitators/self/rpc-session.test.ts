/** What one settlement asks of the sender of transactions, whatever the packages around it do. */
import { type Hex, type PublicClient, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { openRpcSession } from '../../../../src/payments/facilitators/self/rpc-session.ts'
import type { Settler } from '../../../../src/payments/facilitators/self/settler.ts'
import { TOKEN } from '../../../../src/sandbox/addresses.ts'

const SENDER: Hex = `0x${'12'.repeat(20)}`
const HASH: Hex = `0x${'ab'.repeat(32)}`

function session() {
  const ends: number[] = []
  const settler = {
    send: async (_call: object, { expiresAt }: { readonly expiresAt: number }) => {
      ends.push(expiresAt)
      return { hash: HASH }
    },
  } as unknown as Settler
  const opened = openRpcSession({
    client: { getBlock: async () => ({ timestamp: 1_000n }) } as unknown as PublicClient,
    settler,
    codeOf: async () => undefined,
    authorization: undefined,
    sender: SENDER,
    token: TOKEN,
    purpose: { kind: 'upkeep' },
    deadline: 1,
  })
  return { ...opened, ends }
}

test('a call that is no transfer is offered for five minutes of the chain', async () => {
  const { signer, ends } = session()
  const abi = parseAbi(['function settle(address receiver)'])
  await signer.writeContract({ address: TOKEN, abi, functionName: 'settle', args: [SENDER] })
  expect(ends).toEqual([1_300])
})

test('what was handed over counts as sent before anybody waits for it', async () => {
  const { signer, hasSent } = session()
  expect(hasSent()).toBe(false)
  await signer.sendTransaction({ to: TOKEN, data: '0x' })
  expect(hasSent()).toBe(true)
})
