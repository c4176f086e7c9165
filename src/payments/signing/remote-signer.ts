import { createPublicKey } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import type { Hex } from 'viem'
import { toAccount } from 'viem/accounts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { isObject, type JsonObject, parseJson } from '../../values/json.ts'
import { type Signer, type SignerState, SignerUnavailable } from '../ports/signer.ts'

/** What the signer holds; null for a key that it lacks. */
export interface SignerGreeting {
  readonly chainId: number
  readonly settlement: Hex | null
  readonly authorizer: Hex | null
  readonly receipt: JsonWebKey | null
  readonly card: JsonWebKey | null
  readonly isSpent: boolean
}

const ANSWER_MS = 2_000
const POLL_MS = 1_000
/** A signed batch of the largest size has 70,000. */
const LONGEST_ANSWER = 1_048_576

const write = (request: object): string =>
  `${JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? value.toString() : value))}\n`

function answerIn(line: string): JsonObject | null {
  const json = parseJson(line)
  return isObject(json) ? json : null
}

/**
 * Connects to a signer process over a Unix socket, in JSON lines that it answers in order. Polls it every second, so that
 * sales pause before one needs a signature. Rejects with {@link SignerUnavailable}.
 */
export async function openRemoteSigner(path: string): Promise<Signer & { readonly chainId: number }> {
  let socket: Socket | null = null
  let state: SignerState = 'up'
  const waiting: ((answer: JsonObject | null) => void)[] = []

  const connect = (): Socket => {
    const opened = createConnection(path)
    let text = ''
    opened.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      const answers = lines.map(answerIn)
      for (const answer of answers) waiting.shift()?.(answer)
      // After a malformed line, answers can no longer be matched to their requests.
      if (answers.includes(null) || text.length > LONGEST_ANSWER) opened.destroy()
    })
    opened
      .on('error', () => {})
      .on('close', () => {
        socket = null
        state = 'away'
        for (const resolve of waiting.splice(0)) resolve(null)
      })
    return opened
  }

  const ask = async <T>(request: object): Promise<T> => {
    socket ??= connect()
    const { promise, resolve } = Promise.withResolvers<JsonObject | null>()
    waiting.push(resolve)
    socket.write(write(request))
    // If the connection stayed open, a late answer would be taken for that to the next request.
    const timer = setTimeout(() => socket?.destroy(), ANSWER_MS)
    const answer = await promise
    clearTimeout(timer)
    if (answer === null) throw new SignerUnavailable('the signer does not answer')
    if ('refused' in answer) throw new SignerUnavailable('the signer refused')
    return answer.value as T
  }

  const poll = async (): Promise<SignerGreeting> => {
    const greeting = await ask<SignerGreeting>({ ask: 'keys' })
    state = greeting.isSpent ? 'spent' : 'up'
    return greeting
  }

  const accountOf = (address: Hex | null, key: 'settlement' | 'authorizer') =>
    address === null
      ? null
      : toAccount({
          address,
          signMessage: async () => Promise.reject(new SignerUnavailable('messages are not signed')),
          signTransaction: async ({ nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data }) =>
            ask<Hex>({ ask: 'transaction', key, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data }),
          signTypedData: async ({ primaryType, message }) =>
            ask<Hex>({ ask: 'typed', key, primaryType, message }),
        })
  const jwsKeyOf = (jwk: JsonWebKey | null, key: 'receipt' | 'card'): JwsKey | null =>
    jwk === null
      ? null
      : {
          publicKey: createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' }),
          sign: (input) => ask<string>({ ask: 'jws', key, input }),
        }

  const greeting = await poll()
  const timer = setInterval(() => void poll().catch(() => {}), POLL_MS).unref()
  return {
    chainId: greeting.chainId,
    settlement: accountOf(greeting.settlement, 'settlement'),
    authorizer: accountOf(greeting.authorizer, 'authorizer'),
    receipt: jwsKeyOf(greeting.receipt, 'receipt'),
    card: jwsKeyOf(greeting.card, 'card'),
    state: () => state,
    close: () => {
      clearInterval(timer)
      socket?.destroy()
    },
  }
}
