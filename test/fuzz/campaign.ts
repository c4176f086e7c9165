import { SeededRandom } from '../support/seeded-random.ts'
import { a2aDraft } from './a2a-draft.ts'
import { type Maker, restDraft } from './drafts.ts'
import { freeDraft, stateDraft } from './free-draft.ts'
import { type Held, heapWatch } from './heap-watch.ts'
import type { FuzzInput } from './input.ts'
import { mcpDraft } from './mcp-draft.ts'
import { createObserver, type Observer } from './observer.ts'
import { fillPurse, noteTask, type Purse } from './purse.ts'
import type { CampaignReport } from './report.ts'
import { startTarget, type TestTarget } from './target.ts'
import { unhandledWatch } from './unhandled-watch.ts'
import { openPipe, type Pipe, sendAlone } from './wire.ts'
import { writeBroken, writeFramed } from './write-request.ts'

export interface CampaignOptions {
  readonly seed: number
  /** Ends after this time, or this many inputs, whichever comes first. */
  readonly seconds: number
  readonly inputs?: number
  /** The number of the first input; each is made from the seed and its number alone. */
  readonly from?: number
  readonly onProgress?: (report: CampaignReport) => void
}

const PIPES = 8
const PER_PIPE = 16
const ALONE = 6
const PER_ROUND = PIPES * PER_PIPE + ALONE
const ROUNDS_BETWEEN_LOOKS = 25

const MAKERS = [restDraft, restDraft, restDraft, a2aDraft, a2aDraft, mcpDraft, freeDraft, stateDraft]

interface Numbered {
  readonly number: number
  readonly input: FuzzInput
}

/** What a round is made with. */
interface Stage {
  readonly seed: number
  readonly parts: Omit<Maker, 'random'>
  readonly target: TestTarget
  readonly observer: Observer
  readonly pipes: readonly Pipe[]
  readonly operatorPipe: Pipe
}

/** The input of a number: the same for the same seed, except the payments in it, which get new signatures each time. */
function inputOf({ seed, parts }: Stage, number: number): Numbered {
  const random = new SeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  const draft = random.pick(MAKERS)({ ...parts, random })
  const broken = number % PER_ROUND >= PIPES * PER_PIPE
  return { number, input: broken ? writeBroken(draft, random) : writeFramed(draft, random) }
}

/** Sends bad and good inputs until the time is over, and holds every answer, log line and account against the rules. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, seconds, inputs: most = Number.POSITIVE_INFINITY, from = 0, onProgress = () => {} } = options
  const held: Held[] = []
  const lookAtHeap = heapWatch()
  const notes = new SeededRandom(seed)
  let purse: Purse | undefined
  const observer = createObserver((task) => purse && noteTask(purse, task, notes))
  const unhandled = unhandledWatch((what) => observer.found(what))
  const target = await startTarget(observer.line)
  purse = await fillPurse(target)
  const before = await target.books()
  const stage: Stage = {
    seed,
    parts: { purse, host: target.host, adminHost: target.adminHost },
    target,
    observer,
    pipes: Array.from({ length: PIPES }, (_, at) => openPipe(target.port, { atOnce: at % 2 === 0 ? 1 : 4 })),
    operatorPipe: openPipe(target.adminPort),
  }
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  let number = from
  const report = (charged: number): CampaignReport => {
    const { kinds, statuses, findings, paidFor } = observer
    const counted = { seed, seconds: elapsed(), inputs: number - from, kinds, statuses, findings }
    return { ...counted, charged, verdicts: paidFor().size, held, rows: target.rows() }
  }

  try {
    for (let rounds = 1; elapsed() < seconds && number - from < most; rounds++) {
      await playRound(stage, number, Math.min(PER_ROUND, most - (number - from)))
      number += Math.min(PER_ROUND, most - (number - from))
      if (rounds % 4 === 0) await purse.renew()
      if (rounds % ROUNDS_BETWEEN_LOOKS > 0) continue
      held.push(lookAtHeap())
      onProgress(report(0))
    }
    return report(await audit(target, observer, before.charged))
  } finally {
    for (const pipe of [...stage.pipes, stage.operatorPipe]) pipe.close()
    await target.stop()
    unhandled.stop()
  }
}

async function playRound(stage: Stage, first: number, count: number): Promise<void> {
  const { target, observer, pipes, operatorPipe } = stage
  const all = Array.from({ length: count }, (_, at) => inputOf(stage, first + at))
  const framed = all.filter(({ input }) => input.framed)
  const shared = framed.filter(({ input }) => input.port === 'public')
  await Promise.all([
    ...pipes.map((pipe, at) =>
      exchange(
        pipe,
        observer,
        shared.filter((_, index) => index % pipes.length === at),
      ),
    ),
    exchange(
      operatorPipe,
      observer,
      framed.filter(({ input }) => input.port === 'admin'),
    ),
    ...all.filter(({ input }) => !input.framed).map((each) => sendBroken(target, observer, each)),
  ])
}

async function exchange(pipe: Pipe, observer: Observer, some: readonly Numbered[]): Promise<void> {
  if (some.length === 0) return
  try {
    const exchanged = await pipe.send(some.map(({ input }) => input))
    exchanged.forEach(({ input, answer }, at) => {
      observer.answer(input, answer, some[at]?.number ?? -1)
    })
  } catch (error) {
    observer.found(String(error), some[0]?.input, some[0]?.number)
  }
}

async function sendBroken(
  target: TestTarget,
  observer: Observer,
  { input, number }: Numbered,
): Promise<void> {
  const answers = await sendAlone(input.port === 'admin' ? target.adminPort : target.port, input)
  observer.answer(input, answers[0] ?? null, number)
  for (const answer of answers.slice(1))
    observer.answer({ ...input, kind: `${input.kind}, more` }, answer, number)
}

/** Holds what was given against what was paid and what is written down; returns how many payments were made. */
async function audit(target: TestTarget, observer: Observer, chargedBefore: number): Promise<number> {
  const { charged, settled } = await target.books()
  for (const transaction of observer.paidFor())
    if (!settled.has(transaction)) observer.found('a verdict for a payment that is in no row')
  if (charged !== settled.size) observer.found(`${charged} payments made, ${settled.size} written down`)
  return charged - chargedBefore
}
