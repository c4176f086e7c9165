import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../chain-payments.ts'
import { createMemoryChain } from './memory-chain.ts'
import { createMemoryChainReader } from './memory-chain-reader.ts'
import { TokenRevert } from './memory-token.ts'

const START = 1_800_000_000

describe('the chain in memory', () => {
  const payer = freshAccount()
  const payTo = freshAccount().address

  async function startAt(seconds: number) {
    const time = { now: seconds }
    const chain = createMemoryChain(() => time.now)
    await chain.send(TOKEN, mintCall(payer.address, 5_000n))
    return { chain, time, reader: createMemoryChainReader(chain) }
  }

  test('its clock is the one it was given, and never runs backwards', async () => {
    const { reader, time } = await startAt(START)
    const first = await reader.head()
    time.now += 100
    const later = await reader.head()
    expect(later.timestamp - first.timestamp).toBe(100)
    expect(later.number).toBeGreaterThan(first.number)
    time.now -= 50
    expect(await reader.head()).toEqual(later)
  })

  test('an authorization is judged by that clock', async () => {
    const { chain, time, reader } = await startAt(START)
    const payment = await signPayment(payer, termsFor(payTo), {
      validAfter: String(START + 10),
      validBefore: String(START + 20),
    })
    const call = transferCall(payment)
    time.now = START + 10
    await expect(chain.send(TOKEN, call)).rejects.toThrow('authorization is not yet valid')
    time.now = START + 20
    await expect(chain.send(TOKEN, call)).rejects.toThrow('authorization is expired')
    expect(await reader.balance(payTo)).toBe(0n)
  })

  test('a call leaves no trace, a transaction does', async () => {
    const { chain, reader, time } = await startAt(START)
    const call = transferCall(await signPayment(payer, termsFor(payTo), { validBefore: String(START + 60) }))
    time.now += 1
    await chain.call(TOKEN, call)
    await chain.call(TOKEN, call)
    expect(await reader.balance(payTo)).toBe(0n)
    await chain.send(TOKEN, call)
    expect(await reader.balance(payTo)).toBe(1000n)
  })

  test('of many transactions that together exceed the balance, none overdraws it', async () => {
    const { chain, reader } = await startAt(START)
    const validBefore = String(START + 60)
    const payments = await Promise.all(
      Array.from({ length: 9 }, () => signPayment(payer, termsFor(payTo), { validBefore })),
    )
    const sent = await Promise.allSettled(payments.map((payment) => chain.send(TOKEN, transferCall(payment))))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await reader.balance(payer.address)).toBe(0n)
  })

  test('knows two contracts and of the token what payments need', async () => {
    const { chain } = await startAt(START)
    await expect(chain.call(payTo, '0x12345678')).rejects.toThrow(TokenRevert)
    await expect(chain.call(TOKEN, '0x12345678')).rejects.toThrow(TokenRevert)
    await expect(chain.call(TOKEN, '0x')).rejects.toThrow(TokenRevert)
  })
})

function mintCall(to: Hex, value: bigint): Hex {
  const abi = parseAbi(['function mint(address to, uint256 value)'])
  return encodeFunctionData({ abi, functionName: 'mint', args: [to, value] })
}
