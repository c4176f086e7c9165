/** A client of lists for each way to pay for one, and what its answers say in one form. */
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { encodeHeader } from '../support/payment-header.ts'
import { X402_V02 } from '../surfaces/a2a/a2a-client.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any

/** One value as a client sends it. */
export interface Item {
  readonly type: unknown
  readonly value: unknown
}

export interface Answer {
  /** The code of the error, or "sold", or "replayed". */
  readonly outcome: string
  /** The results as JSON; empty if nothing was sold. */
  readonly results: readonly string[]
  /** What the error says of money. */
  readonly charged: string | undefined
  /** Everything the client got. */
  readonly text: string
  readonly settlement?: SettleResponse | undefined
  /** The terms that came with a refusal. */
  readonly required?: PaymentRequired | undefined
}

/** What is sent: a single value, or a list of several types. */
export type Order = { readonly single: Item } | { readonly list: readonly Item[] }

export interface Door {
  /** The terms of an unpaid order. */
  ask(order: Order): Promise<PaymentRequired>
  buy(order: Order, payload: PaymentPayload): Promise<Answer>
}

/** `channels`: the clients ask for the offer of payment channels, each in its own way. */
export function doorsOf(url: string, { channels = false } = {}) {
  const metadata = channels ? { 'format-checker/channels': true } : {}
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { response, json: JSON.parse(text) as Json, text: `${text}${[...response.headers].join('\n')}` }
  }
  return {
    rest: restDoor(post, channels ? '/api/channel' : '/api'),
    mcp: mcpDoor(post, metadata),
    'a2a by header': a2aDoor(post, metadata),
    'a2a in band': inBandDoor(post, metadata),
    'a2a in two messages': twoMessagesDoor(post, metadata),
  }
}

type Post = (
  path: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<{ readonly response: Response; readonly json: Json; readonly text: string }>

const paidBy = (payload: PaymentPayload) => ({ 'PAYMENT-SIGNATURE': encodeHeader(payload) })
/** What the headers of an answer say of money. */
const moneyIn = ({ headers }: Response): Pick<Answer, 'settlement' | 'required'> => {
  const receipt = headers.get('PAYMENT-RESPONSE')
  const terms = headers.get('PAYMENT-REQUIRED')
  return {
    settlement: receipt === null ? undefined : decodePaymentResponseHeader(receipt),
    required: terms === null ? undefined : decodePaymentRequiredHeader(terms),
  }
}
const termsIn = ({ headers }: Response) => decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED') ?? '')
const soldAs = (replayed: boolean) => (replayed ? 'replayed' : 'sold')

function restDoor(post: Post, root: string): Door {
  const send = (order: Order, headers = {}) =>
    'single' in order
      ? post(`${root}/validate/${order.single.type}`, { value: order.single.value }, headers)
      : post(`${root}/validate/batch`, { items: order.list }, headers)
  return {
    ask: async (order) => termsIn((await send(order)).response),
    async buy(order, payload) {
      const { response, json, text } = await send(order, paidBy(payload))
      if (response.status !== 200)
        return {
          ...{ outcome: json.code, results: [], charged: String(json.charged), text },
          ...moneyIn(response),
        }
      const results = 'single' in order ? [json] : json.results
      return {
        outcome: soldAs(response.headers.get('payment-replayed') === 'true'),
        ...{ results: results.map((each: Json) => JSON.stringify(each)), charged: undefined, text },
        ...moneyIn(response),
      }
    },
  }
}

function mcpDoor(post: Post, asking: object): Door {
  const send = async (order: Order, meta = {}) => {
    const params =
      'single' in order
        ? {
            name: `validate_${String(order.single.type).replace('-', '_')}`,
            arguments: { value: order.single.value },
          }
        : { name: 'validate_batch', arguments: { items: order.list } }
    const { json, text } = await post(
      '/mcp',
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { ...params, _meta: meta } },
      { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
    )
    return { json, text }
  }
  return {
    ask: async (order) => (await send(order, asking)).json.result.structuredContent,
    async buy(order, payload) {
      const { json, text } = await send(order, { 'x402/payment': payload })
      const { structuredContent, isError, _meta = {} } = json.result
      const error = _meta['format-checker/error']
      const settlement = _meta['x402/payment-response']
      if (isError === true)
        return {
          ...{ outcome: error?.code, results: [], charged: String(error?.charged), text },
          ...{ settlement, required: structuredContent },
        }
      const results = 'single' in order ? [structuredContent] : structuredContent.results
      return {
        outcome: soldAs(_meta['format-checker/replayed'] === true),
        ...{
          results: results.map((each: Json) => JSON.stringify(each)),
          charged: undefined,
          text,
          settlement,
        },
      }
    },
  }
}

const itemsOf = (order: Order) => ('single' in order ? [order.single] : order.list)

const sendMessage = (order: Order, metadata: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'SendMessage',
  params: {
    message: {
      ...{ messageId: 'm-1', role: 'ROLE_USER', metadata },
      parts: itemsOf(order).map(({ type, value }) => ({ data: { skill: type, input: { value } } })),
    },
  },
})

const resultsIn = (task: Json): string[] =>
  task.artifacts[0].parts.flatMap(({ data }: Json) => (data === undefined ? [] : [JSON.stringify(data)]))

const refusalIn = (json: Json, text: string): Answer => {
  const { code, charged } = json.error.data[0].metadata
  return { outcome: code, results: [], charged, text }
}

function a2aDoor(post: Post, metadata: object): Door {
  const send = (order: Order, headers = {}) =>
    post('/a2a', sendMessage(order, metadata), { 'A2A-Version': '1.0', ...headers })
  return {
    ask: async (order) => termsIn((await send(order)).response),
    async buy(order, payload) {
      const { response, json, text } = await send(order, paidBy(payload))
      if (json.error !== undefined) return { ...refusalIn(json, text), ...moneyIn(response) }
      const outcome = soldAs(response.headers.get('payment-replayed') === 'true')
      return { outcome, results: resultsIn(json.result.task), charged: undefined, text, ...moneyIn(response) }
    },
  }
}

/** What a task that a message paid for says. */
function taskAnswer(json: Json, text: string): Answer {
  if (json.error !== undefined) return refusalIn(json, text)
  const task = json.result.task ?? json.result
  const { metadata } = task.status.message
  const error = metadata['format-checker/error']
  const [settlement] = metadata['x402.payment.receipts'] ?? []
  const required = metadata['x402.payment.required']
  if (error !== undefined)
    return {
      ...{ outcome: error.code, results: [], charged: String(error.charged), text },
      ...{ settlement, required },
    }
  const outcome = soldAs(metadata['x402.payment.replayed'] === true)
  return { outcome, results: resultsIn(task), charged: undefined, text, settlement }
}

const inBand = (payload: PaymentPayload) => ({
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': payload,
})

/** Asks for a task, and pays with the values in one message. */
function inBandDoor(post: Post, asking: object): Door {
  const send = (order: Order, metadata?: object) =>
    post('/a2a', sendMessage(order, metadata), { 'A2A-Version': '1.0', 'A2A-Extensions': X402_V02 })
  return {
    ask: async (order) =>
      (await send(order, asking)).json.result.task.status.message.metadata['x402.payment.required'],
    async buy(order, payload) {
      const { json, text } = await send(order, inBand(payload))
      return taskAnswer(json, text)
    },
  }
}

/** Asks for a task each time, and pays for it in a second message, which holds no value. */
function twoMessagesDoor(post: Post, asking: object): Door {
  const headers = { 'A2A-Version': '1.0', 'A2A-Extensions': X402_V02 }
  const ask = async (order: Order) =>
    (await post('/a2a', sendMessage(order, asking), headers)).json.result.task
  return {
    ask: async (order) => (await ask(order)).status.message.metadata['x402.payment.required'],
    async buy(order, payload) {
      const message = {
        ...{ messageId: 'm-2', role: 'ROLE_USER', taskId: (await ask(order)).id },
        ...{ metadata: inBand(payload), parts: [{ text: 'paid' }] },
      }
      const body = { jsonrpc: '2.0', id: 8, method: 'SendMessage', params: { message } }
      const { json, text } = await post('/a2a', body, headers)
      return taskAnswer(json, text)
    },
  }
}
