import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { Verdict } from 'format-checker-checks/verdict'
import { type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { type SignedPayment, signPayment, termsFor } from '../../support/chain-payments.ts'
import { encodeHeader } from '../../support/payment-header.ts'

/** What a client saw of one request. */
export interface Answer {
  readonly status: number | 'lost'
  /** The problem's code, "verdict", or what became of the connection. */
  readonly code: string
  readonly verdict?: Verdict
  readonly transaction?: string
}

export const VALUE = 'GB82 WEST 1234 5698 7654 32'

/** One purchase of one buyer: the same signed request, to be sent as often as it takes. */
export interface Order {
  readonly payer: PrivateKeyAccount
  readonly nonce: Hex
  readonly payment: SignedPayment
  /** Sends it once; `signal` is a client that leaves, `from` its address as a proxy reports it. */
  send(
    url: string,
    options?: { readonly signal?: AbortSignal; readonly value?: string; readonly from?: string },
  ): Promise<Answer>
  /** Sends it until there is an answer that is not "later", as a patient client would. */
  insist(url: string, patienceMs?: number): Promise<Answer>
}

export interface OrderOptions {
  readonly nonce?: Hex
  /** UTC seconds; the real time by default. */
  readonly now?: number
  /** How long the authorization is valid from then on. */
  readonly lifeSeconds?: number
  /** A payment identifier that the buyer sends along. */
  readonly identifier?: string
}

const LIFE_SECONDS = 115
const PATIENCE_MS = 75_000
const PAUSE_MS = 1_000

export async function signOrder(
  payer: PrivateKeyAccount,
  payTo: Hex,
  options: OrderOptions = {},
): Promise<Order> {
  const { nonce = toHex(randomBytes(32)), lifeSeconds = LIFE_SECONDS, identifier } = options
  const { now = Math.floor(Date.now() / 1000) } = options
  const validBefore = String(now + lifeSeconds)
  const payment = await signPayment(payer, termsFor(payTo), { nonce, validBefore })
  const extensions = identifier === undefined ? {} : { extensions: identified(identifier) }
  const header = encodeHeader({ ...payment.payload, ...extensions })
  const send: Order['send'] = (url, { value = VALUE, ...how } = {}) => post(url, value, header, how)
  return {
    payer,
    nonce,
    payment,
    send,
    insist: async (url, patienceMs = PATIENCE_MS) => {
      const deadline = Date.now() + patienceMs
      for (;;) {
        const answer = await send(url)
        if (!isLater(answer) || Date.now() > deadline) return answer
        await sleep(PAUSE_MS)
      }
    },
  }
}

const identified = (id: string) => ({
  'payment-identifier': { info: { required: false, id }, schema: {} },
})

/** Answers after which a client must repeat the same request unchanged. */
export const isLater = ({ status }: Answer): boolean =>
  status === 'lost' || status === 502 || status === 503 || status === 429

async function post(
  url: string,
  value: string,
  header: string,
  how: { readonly signal?: AbortSignal; readonly from?: string },
): Promise<Answer> {
  const { signal, from } = how
  try {
    const response = await fetch(`${url}/api/validate/iban`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'PAYMENT-SIGNATURE': header,
        ...(from === undefined ? {} : { 'X-Forwarded-For': from }),
      },
      body: JSON.stringify({ value }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    const receipt = response.headers.get('PAYMENT-RESPONSE')
    if (response.status !== 200 || receipt === null) {
      return { status: response.status, code: codeIn(text) }
    }
    const { transaction } = decodePaymentResponseHeader(receipt)
    return { status: 200, code: 'verdict', verdict: JSON.parse(text) as Verdict, transaction }
  } catch {
    return { status: 'lost', code: 'no answer' }
  }
}

/** The code of a problem, or of a 402. */
export function codeIn(text: string): string {
  try {
    const body = JSON.parse(text) as { code?: string; error?: string }
    return body.code ?? body.error?.split(':')[0] ?? ''
  } catch {
    return ''
  }
}

/** An answer in a cell of the table. */
export const shown = ({ status, code }: Answer): string =>
  status === 200 ? 'verdict' : status === 'lost' ? code : `${status} ${code}`.trim()

/** The state of an authorization by the service's own report. */
export async function stateOf(
  url: string,
  { payer, nonce }: Pick<Order, 'payer' | 'nonce'>,
): Promise<string> {
  const response = await fetch(`${url}/payments/${payer.address}/${nonce}`)
  const body = (await response.json()) as { state?: string }
  return response.status === 404 ? 'none' : (body.state ?? `unknown (${response.status})`)
}
