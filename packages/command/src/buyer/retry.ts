import type { Verdict } from 'format-checker-checks/verdict'
import { type Refusal, type Reply, refusalIn, refusedOrRetry, type Send } from './reply.ts'

export type FinalReply<T = Verdict> =
  | Exclude<Reply<T>, { kind: 'retry' }>
  /** Neither a charge nor its absence is certain. */
  | (Refusal & { readonly kind: 'in_doubt' })

export interface Backoff {
  readonly sends: number
  readonly sleep: (milliseconds: number) => Promise<void>
}

const DEFAULT_BACKOFF: Backoff = {
  sends: 6,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** The longest wait, whatever Retry-After says. */
const LONGEST_WAIT_SECONDS = 30

const NO_ANSWER: Refusal = { status: 503, code: 'no_answer', detail: 'The service did not answer.' }

/**
 * Sends a request until its outcome is certain, or no retry is left. A payment whose reply was lost may have been settled,
 * and the same request is never charged twice. Waits as long as Retry-After says, else twice as long each time.
 */
export async function retry<T>(
  send: Send<T>,
  { sends, sleep }: Backoff = DEFAULT_BACKOFF,
): Promise<FinalReply<T>> {
  let isDoubtful = false
  for (let sent = 1; ; sent++) {
    const reply = await send().catch(noAnswer)
    if (reply.kind !== 'retry') return reply
    // A later "not charged" speaks of its own request only: an earlier doubt remains.
    isDoubtful ||= reply.charged === 'unknown'
    if (sent >= sends) return { kind: isDoubtful ? 'in_doubt' : 'refused', ...refusalIn(reply) }
    await sleep(1_000 * Math.min(reply.retryAfterSeconds ?? 2 ** (sent - 1), LONGEST_WAIT_SECONDS))
  }
}

const noAnswer = (): Reply<never> => refusedOrRetry(NO_ANSWER, null)
