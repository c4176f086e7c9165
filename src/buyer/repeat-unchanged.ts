import { type Answer, type Refusal, refusedOrAgain, type Send } from './answer.ts'

/** What is left when a request has been repeated for as long as it is. */
export type Settled =
  | Exclude<Answer, { kind: 'again' }>
  /** Nothing is known to have been charged, nor that nothing was. */
  | (Refusal & { readonly kind: 'in_doubt' })

/** How long a buyer goes on. */
export interface Patience {
  readonly sends: number
  readonly sleep: (milliseconds: number) => Promise<void>
}

export const PATIENCE: Patience = {
  sends: 6,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Nobody is made to wait longer than this before the next try, whatever the service asks for. */
const LONGEST_WAIT_SECONDS = 30

const NO_ANSWER: Refusal = { status: 0, code: 'no_answer', detail: 'The service did not answer.' }

/**
 * Sends the same request until its outcome is known: a signed payment may have been used although its answer was
 * lost, and only the same request is certain not to be charged twice. Waits as long as Retry-After says, else
 * longer each time.
 */
export async function repeatUnchanged(send: Send, { sends, sleep }: Patience = PATIENCE): Promise<Settled> {
  let doubt = false
  for (let sent = 1; ; sent++) {
    const answer = await send().catch(lost)
    if (answer.kind !== 'again') return answer
    // A later "not charged" of a store that cannot look does not take an earlier doubt away.
    doubt ||= answer.charged === 'unknown'
    const { status, code, detail, retryAfterSeconds } = answer
    if (sent >= sends) return { kind: doubt ? 'in_doubt' : 'refused', status, code, detail }
    await sleep(1_000 * Math.min(retryAfterSeconds ?? 2 ** (sent - 1), LONGEST_WAIT_SECONDS))
  }
}

const lost = (): Answer => refusedOrAgain({ ...NO_ANSWER, status: 503 }, null)
