import { createPublicKey } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import type { Hex } from 'viem'
import { toAccount } from 'viem/accounts'
import { isObject, type JsonObject } from '../../json.ts'
import { type JwsKey, type Signer, type SignerState, SignerUnavailable } from '../ports/signer.ts'

/** What the signer says of itself; `null` for a key that it does not hold. */
export interface SignerGreeting {
  readonly chainId: number
  readonly settlement: Hex | null
  readonly authorizer: Hex | null
  readonly receipt: JsonWebKey | null
  readonly card: JsonWebKey | null
  readonly isSpent: boolean
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

const ANSWER_MS = 2_000
const LOOK_MS = 1_000
/** Of an answer; a signed batch of the largest size has 70,000. */
const MOST_CHARACTERS = 1_048_576

/** BigInts as decimal text. */
const write = (request: object): string =>
  `${JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? value.toString() : value))}\n`

function answerIn(line: string): JsonObject {
  try {
    const json: unknown = JSON.parse(line)
    return isObject(json) ? json : {}
  } catch {
    return {}
  }
}

/**
 * The keys of another process, over a Unix socket: JSON lines, answered in any order. Rejects with
 * {@link SignerUnavailable} if none answers. Asked every second, so that sales pause before one needs a signature.
 */
export async function openRemoteSigner(path: string): Promise<Signer & { readonly chainId: number }> {
  let socket: Socket | null = null
  let state: SignerState = 'up'
  let nextId = 0
  const waiting = new Map<number, Waiting>()

  /** False for what is no answer: then nothing behind it is one either. */
  const hear = (line: string): boolean => {
    const { id, value, refused } = answerIn(line)
    if (typeof id !== 'number') return false
    if (refused === undefined) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new SignerUnavailable('the signer refused'))
    return true
  }

  const connect = (): Socket => {
    const opened = createConnection(path)
    let text = ''
    opened.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      const isHeard = text.length <= MOST_CHARACTERS && lines.every(hear)
      if (!isHeard) opened.destroy()
    })
    opened
      .on('error', () => {})
      .on('close', () => {
        if (socket === opened) socket = null
        state = 'away'
        for (const { reject } of waiting.values()) reject(new SignerUnavailable('the signer is away'))
      })
    return opened
  }

  const ask = async <T>(request: object): Promise<T> => {
    socket ??= connect()
    nextId += 1
    const id = nextId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    const timer = setTimeout(() => reject(new SignerUnavailable('the signer does not answer')), ANSWER_MS)
    try {
      socket.write(write({ id, ...request }))
      return (await promise) as T
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  const look = async (): Promise<SignerGreeting> => {
    try {
      const greeting = await ask<SignerGreeting>({ ask: 'keys' })
      state = greeting.isSpent ? 'spent' : 'up'
      return greeting
    } catch (error) {
      state = 'away'
      throw error
    }
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

  const greeting = await look()
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref()
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
