import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { SettleResponse } from '@x402/core/types'
import { listenOnLoopback } from '../../support/loopback.ts'

/** What a facilitator can do with one settlement. */
export interface SettleAct {
  /** When the transfer is made: before anything is said, only after it, or not at all. */
  readonly lands: 'before' | 'after' | 'never'
  readonly says: Saying
  /** Done when the request is here and nothing has happened yet. */
  readonly arrived?: () => Promise<unknown> | unknown
  /** Done when the transfer has been made (or is not going to be) and nothing has been said yet. */
  readonly landed?: () => Promise<unknown> | unknown
  /** What a transfer that is only made afterwards waits for. */
  readonly until?: Promise<unknown>
  /** Done once all has been said. */
  readonly said?: () => Promise<unknown> | unknown
}

export type Saying =
  /** What is true: the facilitator's own answer, or that nothing was sent. */
  | 'truth'
  /** No byte, ever. */
  | 'hang'
  /** The status line and the headers, and no body, ever. */
  | 'stall'
  /** The connection is torn down. */
  | 'reset'
  | { readonly status: number; readonly body: string; readonly type?: string }
  /** Its own words, given what really happened. */
  | ((truth: SettleResponse | undefined, payer: string) => object)

export const HONEST: SettleAct = { lands: 'before', says: 'truth' }

export interface FacilitatorProxy {
  readonly url: string
  /** What is done with the settlements of one authorization, in order; beyond them it is honest. */
  plan(nonce: string, ...acts: readonly SettleAct[]): void
  /** What is said to every request to verify this authorization. */
  planVerify(nonce: string, says: Saying): void
  /** What is done with a settlement nothing was planned for. */
  otherwise(act: () => SettleAct): void
  /** How often a settlement of this authorization was asked for. */
  asked(nonce: string): number
  stop(): Promise<void>
}

interface Asked {
  readonly paymentPayload: {
    readonly payload: {
      readonly authorization?: { readonly nonce: string; readonly from: string }
      /** Of a payment channel: its acts go by the channel's id, or by their type. */
      readonly type?: string
      readonly voucher?: { readonly channelId: string }
      readonly channelConfig?: { readonly payer: string }
    }
  }
}

/** A proxy in front of a facilitator's HTTP API that misbehaves as planned for each authorization. */
export async function startFacilitatorProxy(facilitatorUrl: string): Promise<FacilitatorProxy> {
  const plans = new Map<string, SettleAct[]>()
  const verifyPlans = new Map<string, Saying>()
  const counts = new Map<string, number>()
  let fallback = () => HONEST

  const forward = async (path: string, body?: string) => {
    const init =
      body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    const answer = await fetch(facilitatorUrl + path, init)
    return { status: answer.status, body: await answer.text(), type: 'application/json' }
  }
  const settle = async (body: string, response: ServerResponse) => {
    const {
      authorization,
      type = '',
      voucher,
      channelConfig,
    } = (JSON.parse(body) as Asked).paymentPayload.payload
    const key = (authorization?.nonce ?? voucher?.channelId ?? type).toLowerCase()
    const from = authorization?.from ?? channelConfig?.payer ?? ''
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const act = plans.get(key)?.shift() ?? fallback()
    await act.arrived?.()
    const truth = act.lands === 'before' ? await forward('/settle', body) : undefined
    await act.landed?.()
    say(response, act.says, truth, from)
    await act.said?.()
    if (act.lands !== 'after') return
    await act.until
    await forward('/settle', body)
  }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    void text(request)
      .then(async (body) => {
        const path = request.url ?? '/'
        if (path === '/settle') return settle(body, response)
        const says = path === '/verify' ? verifyPlans.get(nonceIn(body)) : undefined
        if (says !== undefined) return say(response, says, undefined, '')
        send(response, await forward(path, request.method === 'GET' ? undefined : body))
      })
      .catch(() => response.destroy())
  })
  const listening = await listenOnLoopback(server)
  return {
    ...listening,
    plan: (nonce, ...acts) => void plans.set(nonce.toLowerCase(), [...acts]),
    planVerify: (nonce, says) => void verifyPlans.set(nonce.toLowerCase(), says),
    otherwise: (act) => {
      fallback = act
    },
    asked: (nonce) => counts.get(nonce.toLowerCase()) ?? 0,
  }
}

const nonceIn = (body: string): string =>
  (JSON.parse(body) as Asked).paymentPayload.payload.authorization?.nonce.toLowerCase() ?? ''

interface Sent {
  readonly status: number
  readonly body: string
  readonly type?: string
}

function say(response: ServerResponse, says: Saying, truth: Sent | undefined, payer: string): void {
  if (says === 'hang') return
  if (says === 'reset') response.destroy()
  else if (says === 'stall') response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  else if (says === 'truth') send(response, truth ?? NOTHING_SENT)
  else if (typeof says === 'object') send(response, says)
  else {
    const known = truth === undefined ? undefined : (JSON.parse(truth.body) as SettleResponse)
    send(response, { status: 200, body: JSON.stringify(says(known, payer)) })
  }
}

/** Refused unread: nothing was sent. */
const NOTHING_SENT: Sent = { status: 429, body: '{"error":"slow down"}' }

function send(response: ServerResponse, { status, body, type = 'application/json' }: Sent): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
