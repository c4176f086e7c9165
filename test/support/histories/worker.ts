// One process on a ledger: claims, finds and moves a few rows without end, and writes each call down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger, type PostgresOptions } from '../../../src/ledger/postgres/postgres-ledger.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { newPayment } from '../payment-rows.ts'
import { SeededRandom } from '../seeded-random.ts'
import type { Store } from './fleet.ts'
import { type Ask, type Line, textOf, type Version } from './register.ts'

const { STORE = '', NAME = '', NUMBER = '0', KEYS = '' } = process.env
const keys = KEYS.split(',')
/** Calls under way at once. */
const LANES = 3
/** Between two calls of a lane: a long history takes too long to search. */
const PAUSE_MS = 2
const random = new SeededRandom(Number(NUMBER) + 1)
const store = JSON.parse(STORE) as Store
const ledger: Ledger = await ('url' in store ? opened(store) : openSqliteLedger(store))
const seen = new Map<string, PaymentRow>()
let calls = 0

/** A supervisor starts a process again whose server is not reached in time, as on a loaded machine. */
async function opened(options: PostgresOptions): Promise<Ledger> {
  for (;;) {
    try {
      return await openPostgresLedger(options)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await sleep(100)
    }
  }
}

const write = (line: Line) => void process.stdout.write(`${JSON.stringify(line)}\n`)
const now = () => String(process.hrtime.bigint())

/** A version that no other call ever writes. */
const fresh = (state: Version['state']): Version => ({
  state,
  owner: NAME,
  leaseUntil: (calls + 1) * 100 + Number(NUMBER),
})

function choose(key: string): Ask {
  const row = seen.get(key)
  if (row === undefined)
    return random.int(2) === 0 ? { call: 'find' } : { call: 'claim', version: fresh('claimed') }
  const version = ({ state, owner, leaseUntil }: PaymentRow): Version => ({ state, owner, leaseUntil })
  switch (random.int(5)) {
    case 0:
      return { call: 'find' }
    case 1:
      return row.state === 'claimed'
        ? { call: 'reclaim', seen: version(row), version: fresh('claimed') }
        : { call: 'find' }
    default: {
      const to = row.state === 'claimed' && random.int(2) === 0 ? 'settling' : 'claimed'
      return { call: 'move', seen: version(row), version: fresh(to) }
    }
  }
}

/** Makes the call, and says what it answered. */
async function make(key: string, ask: Ask): Promise<string> {
  const nonce = `0x${key.padStart(64, '0')}`
  const keep = (row: PaymentRow | null): string => {
    if (row !== null) seen.set(key, row)
    return textOf(row)
  }
  const row = seen.get(key) as PaymentRow
  switch (ask.call) {
    case 'find':
      return keep(await ledger.find(newPayment({ nonce })))
    case 'claim': {
      const outcome = await ledger.claim(newPayment({ nonce, ...ask.version }))
      if (outcome.kind === 'claimed') return keep(outcome.row)
      return outcome.kind === 'known' ? `known ${keep(outcome.row)}` : outcome.kind
    }
    case 'move': {
      const moved = await ledger.move({ ...row, ...ask.seen }, ask.version)
      return moved === null ? 'faster' : keep(moved)
    }
    case 'reclaim': {
      const outcome = await ledger.reclaim({ ...row, ...ask.seen }, ask.version)
      if (outcome.kind === 'claimed') return keep(outcome.row)
      return outcome.kind === 'known' ? `known ${keep(outcome.row)}` : outcome.kind
    }
  }
}

async function lane(): Promise<never> {
  for (;;) {
    const key = keys[random.int(keys.length)] as string
    const ask = choose(key)
    calls += 1
    const id = `${NAME}-${calls}`
    write({ id, at: now(), key, ask })
    const answer = await make(key, ask).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
      seen.delete(key)
      return null
    })
    write({ id, at: now(), answer })
    await sleep(PAUSE_MS)
  }
}

for (let count = 0; count < LANES; count += 1) void lane()
