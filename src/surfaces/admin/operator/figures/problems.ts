import { MOST_EXPOSED } from '../../../../payments/channels/claims/exposure.ts'
import { formatUsd } from '../../../../payments/networks/usdc.ts'
import { counted } from '../numbers.ts'
import type { Figures } from './figures.ts'

export interface Problem {
  /** `act`: money or service is at risk now; `watch`: look at it today. */
  readonly level: 'act' | 'watch'
  readonly text: string
  /** A heading of `docs/operations.md`. */
  readonly section: string
}

/** A doubt usually ends within a minute; after this long it does not end by itself. */
const LASTING_DOUBT_MS = 10 * 60_000
/** A withdrawal takes a day, and the loop reads every channel within minutes. */
const UNWATCHED_MS = 3 * 3_600_000
/** Settlements; of fewer, the share that failed says little. */
const ENOUGH = 5
const FAILING_SHARE = 0.2

export function findProblems(figures: Figures): readonly Problem[] {
  const problems = [
    ...healthProblems(figures),
    ...paymentProblems(figures),
    ...channelProblems(figures),
    ...facilitatorProblems(figures),
  ]
  return problems.toSorted((a, b) => Number(a.level === 'watch') - Number(b.level === 'watch'))
}

function healthProblems({ health, backlog }: Figures): readonly Problem[] {
  const problems: Problem[] = []
  if (backlog.status === 'rejected')
    problems.push(act('The store does not answer: nothing can be sold.', 'the-store-is-down-or-full'))
  if (!health.chainUp) problems.push(act('The node does not answer: no payment is accepted.', 'status'))
  if (!health.ready && backlog.status === 'fulfilled')
    problems.push(act('The service is not ready to take requests.', 'incidents'))
  return problems
}

function paymentProblems({ at, backlog, attention }: Figures): readonly Problem[] {
  const problems: Problem[] = []
  if (backlog.status === 'fulfilled') {
    const { inDoubt, inDoubtSince, auditMissing } = backlog.value
    const age = inDoubtSince === null ? 0 : at - inDoubtSince
    if (inDoubt > 0) {
      const text = `${payments(inDoubt)} in doubt, the oldest for ${Math.floor(age / 60_000)} min.`
      const problem = age >= LASTING_DOUBT_MS ? act : watch
      problems.push(problem(text, 'payments-in-doubt-are-rising'))
    }
    if (auditMissing > 0)
      problems.push(
        act(`${payments(auditMissing)} settled without a transfer on the chain.`, 'a-transfer-is-missing'),
      )
  }
  if (attention.status === 'fulfilled' && attention.value.undelivered.length > 0) {
    const count = attention.value.undelivered.length
    problems.push(
      watch(`${payments(count)} settled, and no answer was delivered within the hour.`, 'recovery'),
    )
  }
  return problems
}

function channelProblems({ at, channels }: Figures): readonly Problem[] {
  if (channels === null || channels.status === 'rejected') return []
  const { urgent, exposed, ahead, oldestReadAt } = channels.value
  const problems: Problem[] = []
  const say = (problem: typeof act, text: string) => problems.push(problem(text, 'payment-channels'))
  if (urgent > 0)
    say(act, `A withdrawal is in progress from ${counted(urgent, 'channel')} with something left to claim.`)
  if (oldestReadAt !== null && at - oldestReadAt > UNWATCHED_MS)
    say(act, 'Payment channels are not watched: a withdrawal would not be seen.')
  if (exposed * 4n > MOST_EXPOSED.all * 3n)
    say(act, `${formatUsd(exposed)} are to be claimed from channels; soon calls are refused.`)
  if (ahead > 0) say(watch, `More was claimed from ${counted(ahead, 'channel')} than this store knows of.`)
  return problems
}

function facilitatorProblems({
  settlements: { settled, refused, doubtful, not_sent },
}: Figures): readonly Problem[] {
  const failed = doubtful + not_sent
  const all = failed + settled + refused
  if (all < ENOUGH || failed / all < FAILING_SHARE) return []
  const text = `${failed} of ${all} settlements failed since this process started.`
  return [act(text, 'the-facilitator-is-down')]
}

const payments = (count: number): string => (count === 1 ? '1 payment is' : `${count} payments are`)
const act = (text: string, section: string): Problem => ({ level: 'act', text, section })
const watch = (text: string, section: string): Problem => ({ level: 'watch', text, section })
