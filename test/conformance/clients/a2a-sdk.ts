/** The A2A SDK's own clients of both protocol versions buy a check and a list: over a paying fetch, and in band. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertListResults, LIST_ITEMS } from '../orders.ts'
import { signPayment } from '../sign-payment.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const SDK = '@a2a-js/sdk/client'
const SDK_03 = 'a2a-sdk-03/client'
const FETCH = '@x402/fetch'

const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

interface Order {
  readonly words: string
  readonly data: readonly object[]
  readonly assertResults: (results: readonly unknown[]) => void
}

const ORDERS: readonly Order[] = [
  {
    words: 'a check',
    data: [{ skill: 'iban', input: { value: 'PL61109010140000071219812874' } }],
    assertResults: (results) => assert.equal((results[0] as { valid: boolean }).valid, true),
  },
  {
    words: 'a list of 100',
    data: LIST_ITEMS.map(({ type, value }) => ({ skill: type, input: { value } })),
    assertResults: assertListResults,
  },
]

// biome-ignore lint/suspicious/noExplicitAny: two versions of the protocol share no type
type Task = any
/** Sends a message of parts; the second one of a task names it and carries metadata. */
type Say = (parts: readonly object[], paying?: { task: Task; metadata: object }) => Promise<Task>

const message = (paying: { task: Task; metadata: object } | undefined) => ({
  messageId: randomUUID(),
  ...(paying && { taskId: paying.task.id, contextId: paying.task.contextId, metadata: paying.metadata }),
})

/** A client of the agent, made as either version of the SDK makes it. */
async function clientOf(
  // biome-ignore lint/suspicious/noExplicitAny: absent when the product is type-checked
  { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory }: any,
  origin: string,
  fetchImpl: typeof fetch,
) {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
  })
  return new ClientFactory(options).createFromUrl(origin)
}

/** What sends in version 1.0; `extension` activates payment in band. */
async function say10({ origin }: Target, fetchImpl: typeof fetch, extension: boolean): Promise<Say> {
  const client = await clientOf(await import(SDK), origin, fetchImpl)
  return (parts, paying) =>
    client.sendMessage(
      {
        message: {
          ...{ ...message(paying), role: 1, extensions: [], referenceTaskIds: [] },
          parts: parts.map((value) => ({ content: { $case: 'data', value } })),
        },
      },
      extension ? { serviceParameters: { 'A2A-Extensions': X402 } } : undefined,
    )
}

/** The same in version 0.3. */
async function say03({ origin }: Target, fetchImpl: typeof fetch, extension: boolean): Promise<Say> {
  const client = await clientOf(await import(SDK_03), origin, fetchImpl)
  return (parts, paying) =>
    client.sendMessage(
      {
        message: {
          ...{ ...message(paying), kind: 'message', role: 'user' },
          parts: parts.map((data) => ({ kind: 'data', data })),
        },
        configuration: { blocking: true },
      },
      extension ? { serviceParameters: { 'X-A2A-Extensions': X402 } } : undefined,
    )
}

const CLIENTS = { '1.3.0': say10, '0.3.13': say03 }

async function overPayingFetch(target: Target, open: typeof say10, order: Order): Promise<void> {
  const { wrapFetchWithPayment } = await import(FETCH)
  const { x402Client } = await import('@x402/core/client')
  const { registerExactEvmScheme } = await import('@x402/evm/exact/client')
  const { privateKeyToAccount } = await import('viem/accounts')
  const wallet = new x402Client()
  registerExactEvmScheme(wallet, { signer: privateKeyToAccount(target.privateKey) })
  const say = await open(target, wrapFetchWithPayment(fetch, wallet), false)
  order.assertResults(resultsIn(await say(order.data)))
}

/** The values go in the first message alone. */
async function inBand(target: Target, open: typeof say10, order: Order): Promise<void> {
  const say = await open(target, fetch, true)
  const unpaid = await say(order.data)
  const required = unpaid.status.message.metadata['x402.payment.required']
  const payment = await signPayment(required, target.privateKey)
  const metadata = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': JSON.parse(Buffer.from(payment, 'base64').toString()),
  }
  const task = await say([{}], { task: unpaid, metadata })
  assert.equal(task.status.message.metadata['x402.payment.status'], 'payment-completed')
  order.assertResults(resultsIn(task))
}

/** The data parts of the artifact, in either version. */
const resultsIn = ({ artifacts }: Task): readonly unknown[] =>
  artifacts[0].parts.flatMap((part: Task) => {
    if (part.kind === 'data') return [part.data]
    return part.content?.$case === 'data' ? [part.content.value] : []
  })

export const a2aTrials: readonly Trial[] = Object.entries(CLIENTS).flatMap(([version, open]) =>
  ORDERS.flatMap((order): Trial[] => [
    {
      name: `A2A SDK ${version} buys ${order.words} over @x402/fetch`,
      run: (target) => overPayingFetch(target, open, order),
    },
    {
      name: `A2A SDK ${version} buys ${order.words} in band`,
      run: (target) => inBand(target, open, order),
    },
  ]),
)
