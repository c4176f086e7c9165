/** A key service as clouds have them: it signs digests of 32 bytes, and gives no key away. */
import {
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  recoverAddress,
  serializeSignature,
  serializeTransaction,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign as signDigest, toAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSelfFacilitator } from '../../../../src/payments/facilitators/self/self-facilitator.ts'
import { TOKEN } from '../../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../../src/sandbox/chain/anvil-backend.ts'
import { giveEther } from '../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor } from '../../../support/chain-payments.ts'

let chain: ChainBackend
beforeAll(async () => {
  chain = await startAnvil()
})
afterAll(() => chain.stop())

/** The order of secp256k1, by which a signature has a high and a low form; chains take the low one. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Answers in the high form every other time, and without the bit that recovers the key. */
function openKms() {
  const privateKey = generatePrivateKey()
  let asked = 0
  return {
    address: privateKeyToAccount(privateKey).address,
    asked: () => asked,
    async signDigest(hash: Hex): Promise<{ readonly r: bigint; readonly s: bigint }> {
      asked += 1
      const { r, s } = await signDigest({ hash, privateKey })
      return { r: BigInt(r), s: asked % 2 === 0 ? BigInt(s) : ORDER - BigInt(s) }
    },
  }
}

/** What an operator writes for a key service: the account of viem over its one function. */
function accountOver(kms: ReturnType<typeof openKms>) {
  const { address } = kms
  const sign = async (hash: Hex) => {
    const given = await kms.signDigest(hash)
    const low = given.s > ORDER / 2n ? ORDER - given.s : given.s
    for (const yParity of [0, 1] as const) {
      const signature = { r: numberToHex(given.r, { size: 32 }), s: numberToHex(low, { size: 32 }), yParity }
      if ((await recoverAddress({ hash, signature: serializeSignature(signature) })) === address)
        return signature
    }
    throw new Error('the signature is of another key')
  }
  return toAccount({
    address,
    signMessage: async () => Promise.reject(new Error('messages are not signed')),
    signTransaction: async (transaction, options) => {
      const serialize = options?.serializer ?? serializeTransaction
      return serialize(transaction, await sign(keccak256(await serialize(transaction)))) as never
    },
    signTypedData: async (data) => serializeSignature(await sign(hashTypedData(data as never))),
  })
}

test('settles with a key that another service holds, one signature a transaction', async () => {
  const kms = openKms()
  const [payer, payTo] = [freshAccount(), freshAccount().address]
  await chain.fund(payer.address, 10_000n)
  await giveEther(chain.rpcUrl ?? '', kms.address)
  const facilitator = createSelfFacilitator({
    rpcUrls: [chain.rpcUrl ?? ''],
    account: accountOver(kms),
    chainId: 8453,
    finalityDepth: 0n,
    token: TOKEN,
    timing: { lookMs: 20 },
  })
  for (let sales = 1; sales <= 3; sales += 1) {
    const { payload, requirements } = await signPayment(payer, termsFor(payTo))
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: true })
    expect(kms.asked()).toBe(sales)
  }
  facilitator.close()
})
