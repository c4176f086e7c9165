/**
 * Stock clients buy three checks at the paths of single payments and at the address of channels, or fail without a signature.
 * What was charged is read from the chain: the payer's balance before, and after its channel has paid back.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createPublicClient, http, type PrivateKeyAccount, parseAbi, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const AXIOS = 'axios'
const AXIOS_V2 = '@x402/axios'
const AXIOS_V1 = 'x402-axios'
const FETCH_V1 = 'x402-fetch'
const FAREMETER_FETCH = '@faremeter/fetch'
const FAREMETER_EVM = '@faremeter/payment-evm'
const VIEM = 'viem'
const VIEM_CHAINS = 'viem/chains'

const VALUES = ['GB82WEST12345698765432', 'DE89370400440532013000', 'FR1420041010050500013M02606']
const PRICE = 1_000n
const NETWORK = 'eip155:8453'
const ADDRESSES = { singles: '/api/validate/iban', channels: '/api/channel/validate/iban' } as const
type Address = keyof typeof ADDRESSES
type Scheme = 'exact' | 'channels'

interface Buyer {
  readonly account: PrivateKeyAccount
  /** Sends one value; returns the status. */
  buy(url: string, value: string): Promise<number>
  /** Asks the channel's rest back. */
  refund?(url: string): Promise<unknown>
}

const post = (value: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ value }),
})

async function clientOf(account: PrivateKeyAccount, schemes: readonly Scheme[], rpcUrl: string) {
  const { x402Client, x402HTTPClient } = await import('@x402/core/client')
  const { ExactEvmScheme } = await import('@x402/evm/exact/client')
  const { BatchSettlementEvmScheme } = await import('@x402/evm/batch-settlement/client')
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const signer = { ...account, readContract: (args: never) => chain.readContract(args) }
  const salt = toHex(randomBytes(32))
  const channels = () => new BatchSettlementEvmScheme(signer as never, { salt })
  const client = new x402Client()
  for (const scheme of schemes)
    client.register(NETWORK, scheme === 'exact' ? new ExactEvmScheme(account) : channels())
  // With an account read from the chain: that of the calls may have heard of none.
  const refund = (url: string) => channels().refund(`${url}/api/channel`)
  return { client, x402HTTPClient, ...(schemes.includes('channels') ? { refund } : {}) }
}

type OpenBuyer = (account: PrivateKeyAccount, rpcUrl: string) => Promise<Omit<Buyer, 'account'>>

const fetchWith =
  (...schemes: readonly Scheme[]): OpenBuyer =>
  async (account, rpcUrl) => {
    const { wrapFetchWithPayment } = await import('@x402/fetch')
    const { client, refund } = await clientOf(account, schemes, rpcUrl)
    const pay = wrapFetchWithPayment(fetch, client)
    return { buy: async (url, value) => (await pay(url, post(value))).status, ...(refund && { refund }) }
  }

/** `tells`: hands each answer to the scheme, which @x402/axios leaves out. */
const axiosWith =
  (schemes: readonly Scheme[], tells = false): OpenBuyer =>
  async (account, rpcUrl) => {
    const { wrapAxiosWithPayment } = await import(AXIOS_V2)
    const { default: axios } = await import(AXIOS)
    const { client, x402HTTPClient, refund } = await clientOf(account, schemes, rpcUrl)
    const paying = wrapAxiosWithPayment(axios.create(), client)
    if (tells) {
      let sent: Parameters<InstanceType<typeof x402HTTPClient>['processPaymentResult']>[0]
      client.onAfterPaymentCreation(async ({ paymentPayload }) => {
        sent = paymentPayload
      })
      paying.interceptors.response.use(
        async (answer: { headers: Record<string, string>; status: number }) => {
          const headerOf = (name: string) => answer.headers[name.toLowerCase()]
          await new x402HTTPClient(client).processPaymentResult(sent, headerOf, answer.status)
          return answer
        },
      )
    }
    return { buy: (url, value) => statusOf(paying.post(url, { value })), ...(refund && { refund }) }
  }

/** Axios rejects for a refusal; what has no status failed in the client. */
async function statusOf(answer: Promise<{ status: number }>): Promise<number> {
  try {
    return (await answer).status
  } catch (error) {
    const { response } = error as { response?: { status: number } }
    if (response === undefined) throw error
    return response.status
  }
}

async function walletV1(account: PrivateKeyAccount) {
  const { createWalletClient } = await import(VIEM)
  const { base } = await import(VIEM_CHAINS)
  return createWalletClient({ account, chain: base, transport: http() })
}

const fetchV1: OpenBuyer = async (account) => {
  const { wrapFetchWithPayment } = await import(FETCH_V1)
  const pay = wrapFetchWithPayment(fetch, await walletV1(account))
  return { buy: async (url, value) => (await pay(url, post(value))).status }
}

const axiosV1: OpenBuyer = async (account) => {
  const { withPaymentInterceptor } = await import(AXIOS_V1)
  const { default: axios } = await import(AXIOS)
  const paying = withPaymentInterceptor(axios.create(), await walletV1(account))
  return { buy: (url, value) => statusOf(paying.post(url, { value })) }
}

const faremeter: OpenBuyer = async (account) => {
  const { wrap } = await import(FAREMETER_FETCH)
  const { exact } = await import(FAREMETER_EVM)
  const { base } = await import(VIEM_CHAINS)
  const handlers = [exact.createPaymentHandler({ chain: base, address: account.address, account })]
  const pay = wrap(fetch, { handlers })
  return { buy: async (url, value) => (await pay(url, post(value))).status }
}

const BOUGHT = [200, 200, 200]
/** The client does not sign, and fails or hands the 402 on. */
const UNSIGNED = 'unsigned'
/** It signs the same voucher again, since it does not hear of the charge; another value under it is refused, uncharged. */
const ONCE = [200, 409, 409]
type Expected = typeof UNSIGNED | readonly number[]

const CONFIGURATIONS: readonly (readonly [string, OpenBuyer, Readonly<Record<Address, Expected>>])[] = [
  ['@x402/fetch 2.27.0, exact', fetchWith('exact'), { singles: BOUGHT, channels: UNSIGNED }],
  ['@x402/fetch 2.27.0, channels', fetchWith('channels'), { singles: UNSIGNED, channels: BOUGHT }],
  ['@x402/fetch 2.27.0, both', fetchWith('exact', 'channels'), { singles: BOUGHT, channels: BOUGHT }],
  ['@x402/axios 2.11.0, exact', axiosWith(['exact']), { singles: BOUGHT, channels: UNSIGNED }],
  ['@x402/axios 2.11.0, channels', axiosWith(['channels']), { singles: UNSIGNED, channels: ONCE }],
  ['@x402/axios 2.11.0, both', axiosWith(['exact', 'channels']), { singles: BOUGHT, channels: ONCE }],
  [
    '@x402/axios 2.11.0, channels, each answer passed to the scheme',
    axiosWith(['channels'], true),
    { singles: UNSIGNED, channels: BOUGHT },
  ],
  ['x402-fetch 1.2.0', fetchV1, { singles: BOUGHT, channels: UNSIGNED }],
  ['x402-axios 0.7.2', axiosV1, { singles: BOUGHT, channels: UNSIGNED }],
  ['@faremeter/fetch 0.22.0', faremeter, { singles: BOUGHT, channels: UNSIGNED }],
]

/** A count of what an account signs. */
function countingAccount({ privateKey }: Target) {
  const own = privateKeyToAccount(privateKey)
  const count = { signed: 0 }
  const signTypedData: PrivateKeyAccount['signTypedData'] = (typed) => {
    count.signed += 1
    return own.signTypedData(typed)
  }
  return { account: { ...own, signTypedData }, count }
}

export async function chainAt({ origin }: Target) {
  const { rpcUrl, token } = (await (await fetch(`${origin}/sandbox.json`)).json()) as {
    rpcUrl: string
    token: `0x${string}`
  }
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const balance = (owner: `0x${string}`) =>
    chain.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] })
  return { rpcUrl, balance }
}

async function runTrial(
  target: Target,
  open: OpenBuyer,
  address: Address,
  expected: Expected,
): Promise<void> {
  const { rpcUrl, balance } = await chainAt(target)
  const { account, count } = countingAccount(target)
  const before = await balance(account.address)
  const { buy, refund } = await open(account, rpcUrl)
  const statuses: (number | undefined)[] = []
  for (const value of VALUES)
    statuses.push(await buy(`${target.origin}${ADDRESSES[address]}`, value).catch(() => undefined))
  if (expected === UNSIGNED) {
    assert.equal(count.signed, 0)
    assert.deepEqual(
      statuses.filter((status) => status === 200),
      [],
    )
  } else assert.deepEqual(statuses, expected)
  const bought = statuses.filter((status) => status === 200).length
  if (address === 'channels' && bought > 0) await refund?.(target.origin)
  assert.equal(before - (await balance(account.address)), BigInt(bought) * PRICE)
}

const wordsOf = (expected: Expected): string => {
  if (expected === UNSIGNED) return 'fails without a signature'
  return expected === ONCE ? 'buys one, the others uncharged' : 'buys three for USD 0.003'
}

export const twoAddressTrials: readonly Trial[] = CONFIGURATIONS.flatMap(([name, open, expected]) =>
  (Object.keys(ADDRESSES) as Address[]).map((address) => ({
    name: `${name}, at ${ADDRESSES[address]}: ${wordsOf(expected[address])}`,
    run: (target: Target) => runTrial(target, open, address, expected[address]),
  })),
)
