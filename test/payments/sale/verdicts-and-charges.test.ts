import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Sale } from '../../../src/payments/ports/sale.ts'
import type { TaskView } from '../../../src/payments/ports/task.ts'
import type { BenchPayment } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'
import type { SettleAct } from '../../support/scripted-facilitator.ts'

const VALUES = ['GB82 WEST 1234 5698 7654 32', 'one', 'two', 'three']

/** What a facilitator does with one settlement. */
const ACTS: readonly SettleAct[] = [
  { says: 'honest' },
  { says: 'not_sent' },
  { says: 'unknown' },
  { lands: 'before', says: 'unknown' },
  { lands: 'after', says: 'unknown' },
  { says: () => ({ success: false, errorReason: 'insufficient_funds', transaction: '' }) },
  { lands: 'before', says: () => ({ success: false, errorReason: 'invalid_network', transaction: '' }) },
]

const index = (length: number) => fc.nat({ max: length - 1 })

/** One thing that happens: a call, a task held, a task paid for, time, a restart, a late transfer. */
const action = fc.oneof(
  fc.record({ do: fc.constant('sell' as const), payment: index(3), value: index(4), act: index(7) }),
  fc.record({ do: fc.constant('sellTask' as const), payment: index(3), value: index(4), act: index(7) }),
  fc.record({ do: fc.constant('hold' as const), value: index(4) }),
  fc.record({ do: fc.constant('payTask' as const), payment: index(3), task: index(3), act: index(7) }),
  fc.record({ do: fc.constant('cancel' as const), task: index(3) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 31, 130, 3_700) }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('land' as const) }),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

class Story {
  readonly bench: SaleBench
  readonly payments: readonly BenchPayment[]
  readonly shown = new Set<string>()
  readonly tasks: string[] = []
  readonly calls = new Map<number, { readonly value: number; readonly task?: string }>()

  constructor(bench: SaleBench, payments: readonly BenchPayment[]) {
    this.bench = bench
    this.payments = payments
  }

  note(key: string, sale: Sale | TaskView | null): void {
    if (sale !== null && 'verdicts' in sale) this.shown.add(`${key}:${JSON.stringify(sale.verdicts)}`)
    if (sale !== null && 'taskId' in sale && sale.taskId !== undefined) this.tasks.push(sale.taskId)
  }

  async run(step: Action): Promise<void> {
    const { bench } = this
    if ('act' in step) bench.facilitator.script.splice(0, 9, ACTS[step.act] as SettleAct)
    switch (step.do) {
      case 'sell':
      case 'sellTask': {
        const { rawPayment } = this.payments[step.payment] as BenchPayment
        const value = VALUES[step.value] as string
        const call = step.do === 'sell' ? bench.call(value) : bench.taskCall(value)
        this.note(value, await bench.layer.sell(call, rawPayment))
        return
      }
      case 'hold': {
        const held = await bench.layer.holdVerdict(bench.taskCall(VALUES[step.value]))
        if (held.kind === 'withheld') this.tasks.push(held.taskId)
        return
      }
      case 'payTask': {
        const taskId = this.tasks.at(step.task)
        if (taskId === undefined) return
        const { rawPayment } = this.payments[step.payment] as BenchPayment
        await bench.layer.sell({ kind: 'sealed', surface: 'a2a', client: 'c', taskId }, rawPayment)
        return
      }
      case 'cancel': {
        const taskId = this.tasks.at(step.task)
        if (taskId !== undefined) await bench.layer.tasks.cancel(taskId)
        return
      }
      case 'wait':
        bench.clock.advance(step.seconds * 1_000)
        return
      case 'restart':
        await bench.restart()
        return
      case 'land':
        await bench.facilitator.landLate()
    }
  }

  /** Every reader of a task is asked; what it shows counts. */
  async readTasks(): Promise<void> {
    for (const taskId of this.tasks) {
      const view = await this.bench.layer.tasks.read(taskId)
      if (view?.state === 'sold') this.shown.add(JSON.stringify(view.verdicts))
    }
  }
}

test('distinct verdicts shown never exceed charges, and every charge is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 10 }), async (actions) => {
      const bench = await startSaleBench()
      try {
        const buyer = await bench.buyer()
        const story = new Story(bench, [await buyer.sign(), await buyer.sign(), await buyer.sign()])
        for (const step of actions) {
          await story.run(step)
          await story.readTasks()
        }
        const distinct = new Set([...story.shown].map((entry) => entry.slice(entry.indexOf('[{'))))
        expect(distinct.size).toBeLessThanOrEqual(await bench.charged())
        await expectEveryChargeAnswered(story)
      } finally {
        await bench.stop()
      }
    }),
    { numRuns: 60, seed: 8453 },
  )
})

/** Whatever a payment was charged for, one of the calls gets its answer when the buyer asks again. */
async function expectEveryChargeAnswered({ bench, payments, tasks }: Story): Promise<void> {
  await bench.restart()
  bench.clock.advance(31_000)
  bench.facilitator.script.length = 0
  bench.money.flows = false
  for (const { rawPayment, nonce, payload } of payments) {
    const { from } = payload.payload.authorization as { from: `0x${string}` }
    const charged = await bench.reader.trace({ payer: from, nonce, payTo: bench.payTo, amount: 1_000n })
    if (charged.kind !== 'used') continue
    const sales = [
      ...(await Promise.all(VALUES.map((value) => bench.layer.sell(bench.call(value), rawPayment)))),
      ...(await Promise.all(
        tasks.map((taskId) =>
          bench.layer.sell({ kind: 'sealed', surface: 'a2a', client: 'c', taskId }, rawPayment),
        ),
      )),
    ]
    const row = await bench.row({ address: from }, nonce)
    const isOver =
      row.state === 'settled' && sales.some((sale) => 'code' in sale && sale.code === 'replay_window_over')
    expect(isOver || sales.some(({ kind }) => kind === 'sold')).toBe(true)
  }
}
