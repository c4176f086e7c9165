import { createPublicKey } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
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

const ANSWER_MS = 2_000
const LOOK_MS = 1_000
/** Fewer than the signer takes. */
const MOST_CONNECTIONS = 32
/** Of an answer; a signed batch of the largest size has 70,000. */
const MOST_CHARACTERS = 1_048_576

/**
 * The keys of another process, by HTTP over a Unix socket. Rejects with {@link SignerUnavailable} if none answers. Asked every
 * second, so that sales pause before one needs a signature.
 */
export async function openRemoteSigner(path: string): Promise<Signer & { readonly chainId: number }> {
  let state: SignerState = 'up'
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS })

  const ask = async <T>(asked: object): Promise<T> => {
    const answer = await post({ socketPath: path, agent }, asked).catch((cause: unknown) => {
      state = 'away'
      throw new SignerUnavailable('the signer does not answer', { cause })
    })
    if ('refused' in answer) throw new SignerUnavailable('the signer refused')
    return answer.value as T
  }

  const look = async (): Promise<SignerGreeting> => {
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
      agent.destroy()
    },
  }
}

/** Rejects unless an object in JSON comes back in time. BigInts are sent as decimal text. */
async function post(
  to: { readonly socketPath: string; readonly agent: Agent },
  asked: object,
): Promise<JsonObject> {
  const body = JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  const options = { ...to, method: 'POST', signal: AbortSignal.timeout(ANSWER_MS) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body)
  })
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    if (text.length > MOST_CHARACTERS) throw new Error('the answer is too long')
  }
  const answer: unknown = JSON.parse(text)
  if (!isObject(answer)) throw new Error('the answer is no object')
  return answer
}
