import { type Refusal, UNKNOWN } from './answer.ts'
import { member, textOf } from './json.ts'
import { type HttpAnswer, readAnswer } from './post-json.ts'

/** A fetch for a library that throws away what it hears: status, Retry-After and the error's own code. */
export interface HeardFetch {
  readonly fetch: typeof fetch
  /** The answer to the last request; undefined where there was none. */
  last(): HttpAnswer | undefined
}

const TIMEOUT_MS = 60_000

/** For one request at a time. */
export function hearFetch(): HeardFetch {
  let heard: HttpAnswer | undefined
  return {
    fetch: async (input, init) => {
      heard = undefined
      const response = await fetch(input, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      heard = await readAnswer(response.clone())
      return response
    },
    last: () => heard,
  }
}

/** The refusal in a JSON-RPC answer; undefined where no answer was heard. */
export function refusalHeard(answer: HttpAnswer | undefined): Refusal | undefined {
  if (answer === undefined) return undefined
  const error = member(answer.json, 'error')
  const details = Array.isArray(error.data) ? error.data : []
  const codes = details.map((each) => textOf(member(each, 'metadata'), 'code')).filter((code) => code !== '')
  return { status: answer.status, code: codes[0] ?? UNKNOWN, detail: textOf(error, 'message') }
}
