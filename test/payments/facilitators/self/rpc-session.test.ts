/** What one settlement asks of the sender of transactions, whatever the packages around it do. */
import { eip3009ABI } from '@x402/evm'
import { ExecutionRevertedError, encodeFunctionData, type Hex, type PublicClient, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { Settler } from '../../../../src/payments/facilitators/self/queue/settler.ts'
import { openRpcSession } from '../../../../src/payments/facilitators/self/rpc-session.ts'
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
  const abi = parseAbi([
    'function settle(address receiver)',
    'function claim(address, address, uint256, uint256, uint256 notAnEnd)',
  ])
  await signer.writeContract({ address: TOKEN, abi, functionName: 'settle', args: [SENDER] })
  const args = [SENDER, SENDER, 1n, 0n, 4_321n]
  await signer.writeContract({ address: TOKEN, abi, functionName: 'claim', args })
  expect(ends).toEqual([1_300, 1_300])
})

test('what was handed over counts as sent before anybody waits for it', async () => {
  const { signer, hasSent } = session()
  expect(hasSent()).toBe(false)
  await signer.sendTransaction({ to: TOKEN, data: '0x' })
  expect(hasSent()).toBe(true)
})

const NAME = { payer: SENDER, nonce: HASH }
/** A session over a node and a sender that do what a test says, with all that they were asked. */
function scripted({ settles = async (): Promise<object> => ({ hash: HASH }), reads = async () => 1n } = {}) {
  const asked: unknown[] = []
  const noting =
    (what: string, answer: () => Promise<unknown>) =>
    (...args: unknown[]) => {
      asked.push([what, ...args])
      return answer()
    }
  const opened = openRpcSession({
    client: {
      getBlock: async () => ({ timestamp: 1_000n }),
      readContract: noting('read', reads),
    } as unknown as PublicClient,
    settler: {
      send: noting('send', settles),
      confirm: noting('confirm', async () => ({ transactionHash: '0x99' })),
    } as unknown as Settler,
    codeOf: noting('code', async () => '0x60') as never,
    ...{
      authorization: NAME,
      sender: SENDER,
      token: TOKEN,
      purpose: { kind: 'sale', payers: [] },
      deadline: 7,
    },
  })
  return { ...opened, asked }
}

test('a transfer is offered until the end of its authorization, with what the packages append', async () => {
  const { signer, asked } = scripted()
  const args = [SENDER, SENDER, 1n, 0n, 4_321n, HASH, '0xab'] as const
  const settle = { address: TOKEN, abi: eip3009ABI, functionName: 'transferWithAuthorization', args }
  await signer.writeContract(settle as never)
  await signer.writeContract({ ...settle, dataSuffix: '0xcdef' } as never)
  const data = encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: args as never,
  })
  const limits = { purpose: { kind: 'sale', payers: [] }, deadline: 7, expiresAt: 4_321 }
  expect(asked).toEqual([
    ['send', { to: TOKEN, data }, limits],
    ['send', { to: TOKEN, data: `${data}cdef` }, limits],
  ])
})

test('what was sent is confirmed with all that is known of it, and another transaction by its hash', async () => {
  const sent = { hash: HASH, item: 'an item' }
  const { signer, asked, minedAs, hasSent } = scripted({ settles: async () => sent })
  expect([hasSent(), minedAs()]).toEqual([false, undefined])
  await signer.waitForTransactionReceipt({ hash: '0x5' })
  expect([hasSent(), minedAs()]).toEqual([true, '0x99'])
  await signer.sendTransaction({ to: TOKEN, data: '0x' })
  await signer.waitForTransactionReceipt({ hash: HASH })
  await signer.waitForTransactionReceipt({ hash: '0x5' })
  const limits = { purpose: { kind: 'sale', payers: [] }, deadline: 7, expiresAt: 1_300 }
  expect(asked[1]).toEqual(['send', { to: TOKEN, data: '0x' }, limits])
  expect(asked.filter((each) => (each as string[])[0] === 'confirm')).toEqual([
    ['confirm', { hash: '0x5' }, NAME, 7],
    ['confirm', sent, NAME, 7],
    ['confirm', { hash: '0x5' }, NAME, 7],
  ])
})

test('the code of the token is not read, that of others is', async () => {
  const { signer, asked } = scripted()
  expect(signer.getAddresses()).toEqual([SENDER])
  expect(await signer.getCode({ address: TOKEN.toLowerCase() as Hex })).toBe('0x00')
  expect(await signer.getCode({ address: SENDER })).toBe('0x60')
  expect(asked).toEqual([['code', SENDER]])
})

test('the first failure to reach the chain is kept; what the contract refuses does not count', async () => {
  const faults = [new ExecutionRevertedError({ message: 'no' }), new Error('first'), new Error('second')]
  const reads = async () => Promise.reject(faults.shift())
  const { signer, outage, hasSent } = scripted({ reads })
  const read = () => signer.readContract({ address: TOKEN, abi: [], functionName: 'x' })
  const seen = []
  for (const _ of [1, 2, 3]) {
    await expect(read()).rejects.toThrow()
    seen.push((outage() as Error | undefined)?.message)
  }
  expect(seen).toEqual([undefined, 'first', 'first'])
  expect(hasSent()).toBe(false)
  const refused = scripted({ settles: () => Promise.reject(new Error('too expensive')) })
  await expect(refused.signer.sendTransaction({ to: TOKEN, data: '0x' })).rejects.toThrow('too expensive')
  expect([refused.hasSent(), (refused.outage() as Error).message]).toEqual([false, 'too expensive'])
})
