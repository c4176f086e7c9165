import { CANARY } from './hostile-values.ts'
import type { FuzzInput } from './input.ts'
import type { WireAnswer } from './read-answers.ts'

/** A verdict as it was given, and the transaction it was given for. */
export interface GivenVerdict {
  readonly transaction: string
  readonly verdict: string
}

export interface Judgement {
  /** Rules the answer broke; empty when none. */
  readonly broken: readonly string[]
  readonly verdict: GivenVerdict | null
  /** The task it names, where there is one. */
  readonly task: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any

const CANARY_FOLDED = CANARY.toLowerCase()
const STACK = /\n\s+at |node_modules|file:\/\/|\/src\/[a-z]|node:internal/
/** By its name, or as the code of JSON-RPC: the bare digits are in one of a million UUIDs. */
const INTERNAL = /internal_error|INTERNAL_ERROR|"code":\s*-32603\b/
/** What may be answered with 503, and to whom it may happen. */
const UNAVAILABLE =
  /payment_in_doubt|facilitator_unavailable|chain_unavailable|store_unavailable|payment_state_unknown|shutting_down|PAYMENT_IN_DOUBT|_UNAVAILABLE/

/** Holds one answer against the rules every answer keeps, whatever was sent. */
export function judge(input: FuzzInput, answer: WireAnswer): Judgement {
  const { status, head, body } = answer
  const text = body.toString('utf8')
  const broken: string[] = []
  const rule = (held: boolean, name: string) => void (held || broken.push(name))

  rule(status < 500 || status === 503, `answered ${status}`)
  rule(status !== 503 || input.surface === 'free' || UNAVAILABLE.test(text), 'a 503 that is not documented')
  rule(![429, 503].includes(status) || /\r\nretry-after: \d+/i.test(head), `${status} without Retry-After`)
  rule(!text.toLowerCase().includes(CANARY_FOLDED), 'the body repeats the input')
  rule(!head.toLowerCase().includes(CANARY_FOLDED), 'a header repeats the input')
  rule(!/\r\nx-injected/i.test(head), 'a header was put in')
  rule(!STACK.test(text) || status === 200, 'shows where it comes from')
  rule(
    input.surface === 'free' || status === 404 || !/content-type: text\/html/i.test(head),
    'answers in HTML',
  )

  if (input.surface === 'free' || text === '') return { broken, verdict: null, task: null }
  const json = parse(text)
  // What bent bytes ask for by HEAD is not known here, so the next answer may be taken for a body.
  rule(json !== undefined || !input.framed, 'a body that is no JSON')
  rule(!INTERNAL.test(text), 'an internal error')
  const verdict = verdictIn(input, head, json)
  rule(verdict === null || verdict.transaction !== '', 'a verdict without a receipt')
  return {
    broken,
    verdict,
    task: json?.result?.task?.id ?? (json?.result?.kind === 'task' ? json.result.id : null),
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(/^event: message\ndata: (.*)\n\n$/s.exec(text)?.[1] ?? text)
  } catch {
    return undefined
  }
}

function verdictIn({ surface }: FuzzInput, head: string, json: Json): GivenVerdict | null {
  const found =
    surface === 'rest' ? json : surface === 'mcp' ? json?.result?.structuredContent : artifactIn(json?.result)
  if (typeof found?.valid !== 'boolean') return null
  return { verdict: JSON.stringify(found), transaction: receiptIn(head, json) }
}

const artifactIn = (result: Json): Json =>
  (result?.task ?? result)?.artifacts?.[0]?.parts?.find((part: Json) => part.data !== undefined)?.data

/** The transaction of the receipt, wherever the surface has it. */
function receiptIn(head: string, json: Json): string {
  const header = /\r\npayment-response: (\S+)/i.exec(head)?.[1]
  const receipt =
    header === undefined
      ? (json?.result?._meta?.['x402/payment-response'] ?? receiptsOf(json?.result)?.at(-1))
      : parse(Buffer.from(header, 'base64').toString())
  return receipt?.success === true && typeof receipt.transaction === 'string' ? receipt.transaction : ''
}

const receiptsOf = (result: Json): Json =>
  (result?.task ?? result)?.status?.message?.metadata?.['x402.payment.receipts']
