/** Paying HTTP clients of both x402 generations buy over REST, unmodified. */
import assert from 'node:assert/strict'
import { REST_ORDERS, type RestOrder, restUrlOf } from '../orders.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const FETCH_V2 = '@x402/fetch'
const AXIOS_V2 = '@x402/axios'
const FETCH_V1 = 'x402-fetch'
const AXIOS_V1 = 'x402-axios'
const AXIOS = 'axios'
const FAREMETER_FETCH = '@faremeter/fetch'
const FAREMETER_EVM = '@faremeter/payment-evm'
const VIEM = 'viem'
const VIEM_CHAINS = 'viem/chains'

interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
}

const requestOf = ({ body }: RestOrder): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** The answer is what was ordered, with a receipt in the header that this generation reads. */
async function assertSold(
  order: RestOrder,
  response: Response,
  header: string,
  network: string,
): Promise<void> {
  assert.equal(response.status, 200, await response.clone().text())
  assertReceipt(response.headers.get(header), network)
  order.assertAnswer(await response.json())
}

function assertReceipt(header: string | null | undefined, network: string): void {
  const receipt = JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as Receipt
  assert.deepEqual([receipt.success, receipt.network], [true, network])
  assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/)
}

async function account({ privateKey }: Target) {
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(privateKey)
}

async function walletV2(target: Target) {
  const { x402Client } = await import('@x402/core/client')
  const { registerExactEvmScheme } = await import('@x402/evm/exact/client')
  const client = new x402Client()
  registerExactEvmScheme(client, { signer: await account(target) })
  return client
}

/** The first generation's wallet is a viem client bound to its chain. */
async function walletV1(target: Target) {
  const { createWalletClient, http } = await import(VIEM)
  const { base } = await import(VIEM_CHAINS)
  return createWalletClient({ account: await account(target), chain: base, transport: http() })
}

const V2 = ['PAYMENT-RESPONSE', 'eip155:8453'] as const
const V1 = ['X-PAYMENT-RESPONSE', 'base'] as const

const trialsOf = (order: RestOrder): readonly Trial[] => [
  {
    name: `@x402/fetch 2.27.0 ${order.words} over REST`,
    async run(target) {
      const { wrapFetchWithPayment } = await import(FETCH_V2)
      const pay = wrapFetchWithPayment(fetch, await walletV2(target))
      await assertSold(order, await pay(restUrlOf(target, order), requestOf(order)), ...V2)
    },
  },
  {
    name: `@x402/axios 2.11.0 ${order.words} over REST`,
    async run(target) {
      const { wrapAxiosWithPayment } = await import(AXIOS_V2)
      const { default: axios } = await import(AXIOS)
      const paying = wrapAxiosWithPayment(axios.create(), await walletV2(target))
      const { status, headers, data } = await paying.post(restUrlOf(target, order), order.body)
      assert.equal(status, 200)
      assertReceipt(headers['payment-response'], V2[1])
      order.assertAnswer(data)
    },
  },
  {
    name: `x402-fetch 1.2.0 ${order.words} over REST in version 1`,
    async run(target) {
      const { wrapFetchWithPayment } = await import(FETCH_V1)
      const pay = wrapFetchWithPayment(fetch, await walletV1(target))
      await assertSold(order, await pay(restUrlOf(target, order), requestOf(order)), ...V1)
    },
  },
  {
    name: `x402-axios 0.7.2 ${order.words} over REST in version 1`,
    async run(target) {
      const { withPaymentInterceptor } = await import(AXIOS_V1)
      const { default: axios } = await import(AXIOS)
      const paying = withPaymentInterceptor(axios.create(), await walletV1(target))
      const { status, headers, data } = await paying.post(restUrlOf(target, order), order.body)
      assert.equal(status, 200)
      assertReceipt(headers['x-payment-response'], V1[1])
      order.assertAnswer(data)
    },
  },
  {
    name: `@faremeter/fetch 0.22.0 ${order.words} over REST`,
    async run(target) {
      const { wrap } = await import(FAREMETER_FETCH)
      const { exact } = await import(FAREMETER_EVM)
      const { base } = await import(VIEM_CHAINS)
      const signer = await account(target)
      const wallet = { chain: base, address: signer.address, account: signer }
      const handlers = [exact.createPaymentHandler(wallet)]
      const response = await wrap(fetch, { handlers })(restUrlOf(target, order), requestOf(order))
      assert.equal(response.status, 200, await response.clone().text())
      order.assertAnswer(await response.json())
    },
  },
]

export const restBuyerTrials: readonly Trial[] = REST_ORDERS.flatMap(trialsOf)
