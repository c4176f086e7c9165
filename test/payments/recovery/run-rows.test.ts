/** In which order and how often rows are looked at, by a clock that a test drives. */
import { describe, expect, test } from 'vitest'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createBackoff } from '../../../src/payments/recovery/backoff.ts'
import { mayBeLostSale } from '../../../src/payments/recovery/lost-sale.ts'
import { runRows } from '../../../src/payments/recovery/run-rows.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const key = (payer: string, nonce: string) => ({ network: 'eip155:8453', asset: '0x', payer, nonce })

describe('the pause of a row', () => {
  const pauseOf = (backoff: ReturnType<typeof createBackoff>, from: number, row = key('a', '1')) => {
    for (const pause of [...Array.from({ length: 61 }, (_, minutes) => minutes * MINUTE)]) {
      const isDue = backoff.isDue(row, from + pause)
      if (isDue) return pause
      expect(backoff.isDue(row, from + pause + MINUTE - 1)).toBe(false)
    }
    throw new Error('longer than an hour')
  }

  test('is a minute at first, doubles with each failure, and is an hour at most', () => {
    const backoff = createBackoff()
    const pauses = Array.from({ length: 8 }, (_, failure) => {
      backoff.failed(key('a', '1'), failure)
      return pauseOf(backoff, failure)
    })
    expect(pauses.map((pause) => pause / MINUTE)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('is that of one payer and nonce, and over when it is forgotten', () => {
    const backoff = createBackoff()
    backoff.failed(key('a', '1'), 0)
    expect([key('a', '2'), key('b', '1')].map((row) => backoff.isDue(row, 0))).toEqual([true, true])
    backoff.forget(key('a', '1'))
    expect(backoff.isDue(key('a', '1'), 0)).toBe(true)
    backoff.failed(key('a', '1'), 0)
    expect(pauseOf(backoff, 0)).toBe(MINUTE)
  })

  test('may be set, and the next failure begins with a minute again', () => {
    const backoff = createBackoff()
    for (const _ of [1, 2, 3]) backoff.failed(key('a', '1'), 0)
    backoff.postpone(key('a', '1'), 5 * MINUTE)
    expect(pauseOf(backoff, 0)).toBe(5 * MINUTE)
    backoff.failed(key('a', '1'), 0)
    expect(pauseOf(backoff, 0)).toBe(MINUTE)
  })

  test('that is longer than an hour does not count: the clock was put back', () => {
    const backoff = createBackoff()
    backoff.postpone(key('a', '1'), HOUR + 7)
    expect([6, 7].map((now) => backoff.isDue(key('a', '1'), now))).toEqual([true, false])
  })
})

describe('a run', () => {
  const rowsOf = (count: number, network = 'eip155:8453') =>
    Array.from(
      { length: count },
      (_, index) => ({ ...key('a', `${network} ${index}`), network }) as PaymentRow,
    )

  function bench(rows: readonly PaymentRow[]) {
    const chain = { isUp: true }
    const [said, open] = [[] as string[], [] as number[]]
    const due = new Set(rows)
    const options = {
      chain: {
        head: async () => {
          if (!chain.isUp) throw new ChainUnavailable('down')
          return { number: 1n, timestamp: 1 }
        },
      },
      now: () => 9,
      payee: { network: 'eip155:8453' },
      backoff: {
        isDue: (row: PaymentRow, now: number) => due.has(row) && now === 9,
        failed: ({ nonce }: PaymentRow, now: number) => said.push(`failed ${nonce} ${now}`),
        postpone: ({ nonce }: PaymentRow, dueAt: number) => said.push(`postpone ${nonce} ${dueAt}`),
        forget: ({ nonce }: PaymentRow) => said.push(`forget ${nonce}`),
      },
    }
    const run = (
      work: (row: PaymentRow) => Promise<number | null>,
      goOn?: () => Promise<boolean>,
    ): Promise<boolean> =>
      runRows(
        { ...options, ...(goOn === undefined ? {} : { goOn }) } as never,
        async (limit, after) => {
          const start = after === undefined ? 0 : rows.indexOf(after) + 1
          return rows.slice(start, start + limit)
        },
        work,
        () => open.push(1),
      )
    return { run, said, open, chain, due }
  }

  test('works on eight rows at once, and on the next as soon as one is through', async () => {
    const rows = rowsOf(12)
    const { run } = bench(rows)
    const gates = rows.map(() => Promise.withResolvers<null>())
    const begun: PaymentRow[] = []
    const over = run((row) => {
      begun.push(row)
      return (gates[rows.indexOf(row)] as PromiseWithResolvers<null>).promise
    })
    await new Promise(setImmediate)
    expect(begun).toEqual(rows.slice(0, 8))
    gates[3]?.resolve(null)
    await new Promise(setImmediate)
    expect(begun).toEqual(rows.slice(0, 9))
    for (const gate of gates) gate.resolve(null)
    expect(await over).toBe(true)
    expect(begun).toEqual(rows)
  })

  test('notes when each row is due again', async () => {
    const rows = rowsOf(2)
    const { run, said, open } = bench(rows)
    expect(await run(async (row) => (row === rows[0] ? 7 : null))).toBe(true)
    const [first, second] = rows.map(({ nonce }) => nonce)
    expect(said).toEqual([`postpone ${first} 7`, `forget ${second}`])
    expect(open).toEqual([])
  })

  test('leaves out rows of other networks, and counts those that are not due', async () => {
    const [ours, theirs] = [rowsOf(3), rowsOf(2, 'eip155:84532')]
    const { run, due, open } = bench([...theirs, ...ours])
    due.delete(ours[1] as PaymentRow)
    const worked: PaymentRow[] = []
    await run(async (row) => {
      worked.push(row)
      return null
    })
    expect(worked).toEqual([ours[0], ours[2]])
    expect(open).toHaveLength(1)
  })

  test('ends before the next row once it must not go on', async () => {
    const { run } = bench(rowsOf(40))
    let left = 3
    let worked = 0
    const complete = await run(
      async () => {
        worked += 1
        return null
      },
      async () => {
        left -= 1
        return left >= 0
      },
    )
    expect([complete, worked]).toEqual([false, 3])
  })

  test('goes on past a row that the node does not answer for, and ends where it answers nothing', async () => {
    for (const isUp of [true, false]) {
      const rows = rowsOf(3)
      const { run, said, open, chain } = bench(rows)
      chain.isUp = isUp
      const complete = await run(async (row) => {
        if (row === rows[1]) throw new ChainUnavailable('no answer')
        return null
      })
      expect(complete).toBe(isUp)
      expect(said).toContain(`forget ${rows[0]?.nonce}`)
      expect(said.includes(`failed ${rows[1]?.nonce} 9`)).toBe(isUp)
      expect(open).toHaveLength(isUp ? 1 : 0)
    }
  })

  test('rejects with any other fault', async () => {
    const { run } = bench(rowsOf(1))
    await expect(run(() => Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect')
  })
})

test('a payment without a row may be a lost sale until a day after its end', () => {
  const head = (timestamp: number) => ({ number: 1n, timestamp })
  expect([1_000, 87_400, 87_401].map((time) => mayBeLostSale(1_000, head(time)))).toEqual([true, true, false])
})
