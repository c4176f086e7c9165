import { shownBy } from '../../model/channel/change.ts'
import {
  CRASHED,
  type Deposit,
  isCall,
  type Kind,
  NO_OWNER,
  type Pending,
  type Process,
  type Row,
  type State,
} from '../../model/channel/channel-state.ts'
import type { Edge } from '../../model/search.ts'
import type { ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import type { DepositRow } from '../../src/ledger/channels/deposit-row.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import type { HeldCall } from '../simulation/stage.ts'
import { type ChannelService, type Outcome, UNIT } from './channel-service.ts'
import { heldBy, playPath } from './play-path.ts'

/** Longer than the lease of a deposit and of a refund, and shorter than a state of the contract is relied on. */
const LEASE_STEP_MS = 31_000
/** Ends what hangs: between two visible steps a process waits for the disk alone. */
const HANGING_MS = 60_000

/** Plays one path of the model's graph on the real code and compares both after every step. */
export async function replayChannel(
  service: ChannelService,
  nodes: readonly State[],
  path: readonly Edge[],
): Promise<void> {
  service.reset()
  const player = new Player(service)
  await playPath(path, async (edge) => {
    const after = nodes[edge.to] as State
    await player.play(edge.action, nodes[edge.from] as State, after)
    await player.compare(edge, after)
  })
}

class Player {
  readonly #service: ChannelService
  readonly #answers: (string | null | undefined)[] = []

  constructor(service: ChannelService) {
    this.#service = service
  }

  async play(action: string, before: State, after: State): Promise<void> {
    const [who = '', ...words] = action.split(' ')
    const what = words.join(' ')
    // Settlements and the world change the contract before it is read again; every other step reads it as it is.
    const isWorld = Number.isNaN(Number(who))
    this.#show(isWorld || what.startsWith('settle') ? after : before)
    if (who === 'time') this.#service.nowMs += LEASE_STEP_MS
    else if (!isWorld) this.#playProcess(Number(who), what, before)
  }

  #show(state: State): void {
    this.#service.contract.view = shownBy(state)
    this.#service.contract.used = state.chain.used
  }

  #playProcess(replica: number, what: string, before: State): void {
    if (what.startsWith('arrive ')) this.#arrive(replica, what.slice(7) as Kind, before)
    else if (what === 'crash') {
      this.#answers[replica] = undefined
      this.#service.restart(replica)
    } else this.#step(replica, what, before)
  }

  #step(replica: number, what: string, before: State): void {
    const held = heldBy(this.#service.stage, replica)
    if (what.startsWith('settle')) this.#reply(held, what, before.processes[replica] as Process)
    if (what.endsWith(' !before')) held.fail(new StoreUnavailable('told to fail'))
    else if (what.endsWith(' !after')) held.goThenFail(new StoreUnavailable('told to fail'))
    else held.go()
  }

  #arrive(replica: number, kind: Kind, { answers }: State): void {
    this.#answers[replica] = undefined
    const hear = (said: string | null) => {
      this.#answers[replica] = said
    }
    const fail = (error: unknown) => hear(`throws ${(error as Error).message}`)
    const heard = Math.max(0, ...answers.map((answer) => Number(answer[0])))
    if (isCall(kind)) this.#service.call(replica, kind).then((sale) => hear(sayingOf(sale)), fail)
    else if (kind === 'refund')
      this.#service.refund(replica, heard).then((sale) => hear(sayingOf(sale)), fail)
    else {
      const done = () => hear(null)
      this.#service.maintain(replica, kind === 'claim').then(done, done)
    }
  }

  /** Lets the facilitator answer; what it was asked must be what the model sends. */
  #reply({ args }: HeldCall, what: string, { amount, seen }: Process): void {
    const [payload] = args as [
      { type: string; amount?: string; claims?: readonly { readonly totalClaimed: string }[] },
    ]
    if (payload.type === 'claim' && payload.claims?.[0]?.totalClaimed !== String(BigInt(amount) * UNIT))
      throw new Error(`claims ${payload.claims?.[0]?.totalClaimed}`)
    if (payload.type === 'refund' && payload.amount !== String(BigInt((seen as Row).refunding) * UNIT))
      throw new Error(`refunds ${payload.amount}`)
    const isSaid = what.endsWith('mined') ? !what.includes('silent') : what.endsWith('lie air')
    this.#service.reply = isSaid
      ? { success: true, transaction: `0x${'ab'.repeat(32)}`, network: BASE.id }
      : new Error('no reply in time')
  }

  /** The code is where the model says: every process at its step, and the rows as they should be. */
  async compare({ action, said }: Edge, after: State): Promise<void> {
    for (const [replica, process] of after.processes.entries())
      await this.#compare(replica, process, action, said)
    const row = textOfRow(await this.#service.row())
    const expected = textOfModel(after.row)
    if (row !== expected) throw new Error(`the row is ${row}, the model says ${expected}`)
    for (const auth of [0, 1] as const) {
      const deposit = this.#textOf(await this.#service.deposit(auth))
      const modelled = textOfDeposit(after.deposits[auth], after)
      if (deposit !== modelled) throw new Error(`deposit ${auth} is ${deposit}, the model says ${modelled}`)
    }
  }

  async #compare(
    replica: number,
    process: Process | null,
    action: string,
    said: string | null,
  ): Promise<void> {
    const isSpeaking = process === null && action.startsWith(`${replica} `) && !action.endsWith('crash')
    const expected = process === null ? 'idle' : verbOfModel(process)
    let present = ''
    for (const deadline = Date.now() + HANGING_MS; Date.now() < deadline; ) {
      present = this.#verbOf(replica)
      const isDone = !isSpeaking || this.#answers[replica] !== undefined
      if (present === expected && isDone) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (present !== expected) throw new Error(`replica ${replica} is at ${present}, not ${expected}`)
    if (!isSpeaking) {
      if (this.#answers[replica] !== undefined)
        throw new Error(`replica ${replica} says ${this.#answers[replica]}`)
      return
    }
    const answer = this.#answers[replica] ?? null
    this.#answers[replica] = undefined
    if (answer !== said) throw new Error(`replica ${replica} says ${answer}, not ${said}`)
  }

  #verbOf(replica: number): string {
    const held = this.#service.stage.held.filter((each) => each.replica === replica)
    return held.length === 0 ? 'idle' : held.map(verbOfHeld).join()
  }

  #textOf(row: DepositRow | null): string {
    if (row === null) return '-'
    const owner =
      row.owner === null ? NO_OWNER : [0, 1].find((each) => this.#service.ownerOf(each) === row.owner)
    return `${row.state} owner ${owner ?? CRASHED} ${row.leaseUntil > this.#service.nowMs ? 'leased' : ''}`
  }
}

const textOfDeposit = (deposit: Deposit | null, { clock }: State): string =>
  deposit === null
    ? '-'
    : `${deposit.state} owner ${deposit.owner} ${deposit.lease === clock ? 'leased' : ''}`

const textOfModel = (row: Row | null): string =>
  row === null
    ? '-'
    : JSON.stringify([
        ...[row.charged, row.balance, row.claimed, row.nonce, row.leaving],
        ...[row.refunding, row.refunded],
      ])

const units = (amount: bigint): number => Number(amount / UNIT)

const textOfRow = (row: ChannelRow | null): string =>
  row === null
    ? '-'
    : JSON.stringify([
        ...[units(row.charged), units(row.balance), units(row.totalClaimed), Number(row.refundNonce)],
        ...[row.withdrawRequestedAt > 0, units(row.refunding), units(row.refunded)],
      ])

/** What a call at a port is, in the words of the model. */
function verbOfHeld({ port, name, args }: HeldCall): string {
  if (port === 'settle') return `settle ${name}`
  if (port === 'chain') return 'state'
  if (name === 'claimDeposit') return 'claim'
  const change = args[1] as Partial<DepositRow & ChannelRow> | null | undefined
  if (name === 'moveDeposit') {
    if (change === null) return 'drop'
    if (change?.state !== undefined) return change.state
    return change?.owner === null ? 'release' : 'lease'
  }
  if (name === 'openChannel' || change?.charged !== undefined) return 'write'
  return change?.refunded === undefined ? 'refresh' : 'refund write'
}

const VERBS: Partial<Record<Pending, string>> = {
  'claim deposit': 'claim',
  'unclaim deposit': 'drop',
  'lease deposit': 'lease',
  'release deposit': 'release',
  'refund write': 'refund write',
  write: 'write',
}

function verbOfModel({ at }: Process): string {
  if (at.startsWith('settle')) return at
  if (at.endsWith('state')) return 'state'
  if (at.endsWith('refresh')) return 'refresh'
  return at.includes('land') ? 'landed' : (VERBS[at] ?? at)
}

/** An answer in the words of the model. */
function sayingOf(sale: Outcome): string {
  if (sale.kind === 'sold') return 'verdict'
  if (sale.kind === 'refunded') return 'refunded'
  switch (sale.code) {
    case 'channel_out_of_step':
      return 'behind'
    case 'channel_closing':
      return 'closing'
    case 'payment_in_doubt':
      return 'in doubt'
    case 'payment_already_used':
      return 'used'
    case 'facilitator_unavailable':
    case 'chain_unavailable':
      return 'unavailable'
    case 'store_unavailable':
      return 'store'
    case 'payment_refused':
      return sale.quote.required('payment_refused').error?.includes('no_balance') === true
        ? 'nothing'
        : 'refused'
    default:
      return sale.code
  }
}
