import {
  CRASHED,
  type Kind,
  NO_OWNER,
  type Pending,
  type Process,
  type Row,
  type State,
} from '../../model/sale-state.ts'
import type { Edge } from '../../model/search.ts'
import {
  AMOUNT,
  type Asked,
  FacilitatorFault,
  type PaymentRow,
  type Sale,
  type SignedCall,
  type SimulatedService,
  StoreUnavailable,
  type World,
} from '../simulation/service.ts'
import type { HeldCall, Place } from '../simulation/stage.ts'
import { heldBy, playPath } from './play-path.ts'

/** Longer than a lease, and short enough that three of them fit into an authorization's validity. */
const LEASE_STEP_MS = 31_000
const SPEND_STEP_MS = 5_000
const VALID_SECONDS = 120
const HOUR_MS = 3_600_000
const WAIT_MS = 25_000
const VALUE = 'GB82 WEST 1234 5698 7654 32'
const OTHER_VALUE = 'DE89 3704 0044 0532 0130 00'

/** Reads, notes and locks run at once: the model knows only what changes a row, is sent, or waits. */
const VISIBLE_WRITES = ['claim', 'reclaim', 'move']
export const isVisible = ({ port, name, args }: Place): boolean =>
  port === 'ledger' ? VISIBLE_WRITES.includes(name) && !isAudit(args[1]) : port !== 'chain'

/** The audit only marks settled rows. */
const isAudit = (change: unknown): boolean => Object.hasOwn(change ?? {}, 'audit')

export const PAYER = `0x${'a'.repeat(40)}` as const

let nonces = 0

/** Plays one path of the model's graph on the real payment code and compares both after every step. */
export async function replay(
  service: SimulatedService,
  nodes: readonly State[],
  path: readonly Edge[],
): Promise<void> {
  const player = new Player(service)
  await player.prepare(path)
  await playPath(path, async (edge) => {
    await player.play(edge, nodes[edge.from] as State)
    await player.compare(edge, nodes[edge.to] as State)
  })
}

class Player {
  readonly #service: SimulatedService
  readonly #world: World
  /** The buyer's authorization, and the one that was signed later for the same call. */
  readonly #signed: readonly [SignedCall, SignedCall]
  /** All that a node shows which stands still. */
  readonly #oldHead: bigint
  readonly #answers: (Sale | undefined)[] = []
  /** Sales whose reply has not left yet, by replica. */
  readonly #sold: (Sale | undefined)[] = []
  #taskIds: string[] = []

  constructor(service: SimulatedService) {
    this.#service = service
    this.#world = service.reset(isVisible)
    this.#signed = [this.#sign(), this.#sign()]
    this.#oldHead = this.#world.chain.head.number
  }

  #sign(): SignedCall {
    nonces += 1
    const signed: SignedCall = {
      payer: PAYER,
      nonce: `0x${nonces.toString(16).padStart(64, '0')}`,
      validBefore: Math.floor(this.#world.nowMs / 1000) + VALID_SECONDS,
    }
    this.#world.chain.allow(signed.payer, signed.nonce, signed.validBefore, 1_000_000n)
    return signed
  }

  async prepare(path: readonly Edge[]): Promise<void> {
    if (!path.some(({ action }) => action.includes('pay'))) return
    this.#taskIds = [
      await this.#service.holdVerdict(0, VALUE),
      await this.#service.holdVerdict(0, OTHER_VALUE),
    ]
  }

  async play({ action }: Edge, before: State): Promise<void> {
    const [who = '', verb = '', what = ''] = action.split(' ')
    if (who === 'time') this.#passTime(`${verb} ${what}`.trim())
    else if (who === 'chain') this.#useOnChain(verb, this.#signed[Number(what) as 0 | 1])
    else if (who === 'power') this.#losePower(verb)
    else if (who === 'node') this.#world.nodeHead = verb === 'stands' ? this.#oldHead : null
    else await this.#playProcess(Number(who), verb, what, before)
    await this.#world.stage.quiet()
  }

  #passTime(verb: string): void {
    if (verb === 'ends leases') this.#world.nowMs += LEASE_STEP_MS
    else if (verb === 'expires') {
      this.#world.nowMs = Math.max(this.#world.nowMs, this.#signed[0].validBefore * 1000) + LEASE_STEP_MS
    } else if (verb === 'an hour') this.#world.nowMs += HOUR_MS + LEASE_STEP_MS
    else if (verb === 'a day') this.#world.nowMs += 24 * HOUR_MS + LEASE_STEP_MS
    else throw new Error(`no such time: ${verb}`)
    this.#world.chain.mine(Math.floor(this.#world.nowMs / 1000))
  }

  #useOnChain(verb: string, { payer, nonce }: SignedCall): void {
    const use = verb === 'lands' ? 'paid' : (verb as 'paid' | 'foreign' | 'canceled')
    if (!this.#world.chain.use(payer, nonce, use, AMOUNT, Math.floor(this.#world.nowMs / 1000)))
      throw new Error('the token refuses the authorization')
    // A claim within two seconds of a payment may be the one that made it.
    if (verb === 'lands') return
    this.#world.nowMs += SPEND_STEP_MS
    this.#world.chain.mine(Math.floor(this.#world.nowMs / 1000))
  }

  async #playProcess(replica: number, verb: string, what: string, before: State): Promise<void> {
    if (verb === 'arrive') return this.#arrive(replica, what as Kind)
    if (verb === 'crash') return this.#crash(replica)
    if (verb === 'deliver' || verb === 'lose') {
      const sale = this.#sold[replica]
      this.#sold[replica] = undefined
      if (verb === 'deliver' && sale?.kind === 'sold') sale.delivered()
      return
    }
    const held = heldBy(this.#world.stage, replica)
    const process = before.processes[replica] as Process
    if (verb === 'give_up') {
      this.#world.patienceMs[replica] = (this.#world.patienceMs[replica] as number) + 2 * WAIT_MS
      return held.go()
    }
    if (verb === 'send' && what === 'unreached') return held.fail(new FacilitatorFault('not_sent', 'refused'))
    if (verb === 'reply') return this.#reply(held, what)
    if (what === '!before') return held.fail(new StoreUnavailable('told to fail'))
    if (what === '!after') return held.goThenFail(new StoreUnavailable('told to fail'))
    if (signatureOf(process.at, process) !== verbOf(held)) throw new Error('unexpected')
    held.go()
  }

  #arrive(replica: number, kind: Kind): void {
    this.#answers[replica] = undefined
    // What was delivered before is over.
    this.#world.nowMs += 1
    if (kind === 'loop') {
      void this.#service.recover(replica).then(
        () => {
          this.#answers[replica] = { kind: 'declined', code: 'shutting_down' }
        },
        () => {
          this.#answers[replica] = { kind: 'declined', code: 'store_unavailable' }
        },
      )
      return
    }
    this.#service.sell(replica, this.#askedBy(kind), this.#signed[kind === 'again' ? 1 : 0]).then(
      (sale) => {
        this.#answers[replica] = sale
      },
      (error) => {
        throw error
      },
    )
  }

  #askedBy(kind: Kind): Asked {
    switch (kind) {
      case 'pay1':
        return { kind: 'task', taskId: this.#taskIds[0] as string }
      case 'pay2':
        return { kind: 'task', taskId: this.#taskIds[1] as string }
      case 'other':
        return { kind: 'value', value: OTHER_VALUE }
      case 'inband':
        return { kind: 'value', value: VALUE, inband: true }
      default:
        return { kind: 'value', value: VALUE }
    }
  }

  #losePower(verb: string): void {
    this.#service.losePower()
    if (verb === 'fails') for (let replica = 0; replica < 2; replica += 1) this.#crash(replica)
  }

  #crash(replica: number): void {
    this.#sold[replica] = undefined
    this.#answers[replica] = undefined
    this.#service.restart(replica)
  }

  #reply(held: HeldCall, what: string): void {
    const [signed, choose] = held.args as [SignedCall, (reply: unknown) => void]
    const { payer, nonce } = signed
    switch (what) {
      case 'settled': {
        if (this.#world.chain.usedFor(payer, nonce) === null) this.#useOnChain('lands', signed)
        choose({
          success: true,
          payer,
          transaction: this.#world.chain.transactionOf(payer, nonce),
          network: 'eip155:8453',
        })
        break
      }
      case 'refused':
        choose({
          success: false,
          errorReason: 'invalid_exact_evm_insufficient_balance',
          transaction: '',
          network: 'eip155:8453',
        })
        break
      case 'word':
      case 'word_lie':
        choose(new FacilitatorFault('not_sent', '429', { byItsWord: true }))
        break
      default:
        choose(new FacilitatorFault('unknown', 'no reply in time'))
    }
    held.go()
  }

  /** The code is where the model says: every process at its step, and the row as it should be. */
  async compare({ action, said }: Edge, after: State): Promise<void> {
    for (const [replica, process] of after.processes.entries())
      this.#compareProcess(replica, process, action, said)
    for (const auth of [0, 1] as const) {
      const row = await this.#service.row(this.#signed[auth])
      const [seen, expected] = [this.#textOf(row), textOfRow(after.rows[auth], after)]
      if (seen !== expected) throw new Error(`row ${auth} is ${seen}, the model says ${expected}`)
    }
    for (const [index, taskId] of this.#taskIds.entries()) {
      const tied = (await this.#service.taskRow(taskId))?.payment != null
      const modelTied = after.tasks[index] !== null
      if (tied !== modelTied) throw new Error(`task ${index + 1} is ${tied ? '' : 'not '}tied`)
    }
  }

  #compareProcess(replica: number, process: Process | null, action: string, said: string | null): void {
    const held = this.#world.stage.held.filter((each) => each.replica === replica)
    const sale = this.#answers[replica]
    if (process === null || process.at === 'sold') {
      if (held.length > 0) throw new Error(`replica ${replica} goes on with ${held.map(verbOf)}`)
      if (process?.at === 'sold') {
        if (sale !== undefined) this.#sold[replica] = sale
        this.#answers[replica] = undefined
        if (this.#sold[replica]?.kind !== 'sold')
          throw new Error(`replica ${replica} did not sell: ${sayingOf(sale)}`)
        return
      }
      const isSpeaking = action.startsWith(`${replica} `) && said !== null
      if (isSpeaking && sayingOf(sale) !== said)
        throw new Error(`replica ${replica} says ${sayingOf(sale)}, not ${said}`)
      this.#answers[replica] = undefined
      return
    }
    if (sale !== undefined)
      throw new Error(`replica ${replica} says ${sayingOf(sale)} instead of ${process.at}`)
    const expected = signatureOf(process.at, process)
    if (held.length !== 1 || verbOf(held[0] as HeldCall) !== expected)
      throw new Error(`replica ${replica} is at ${held.map(verbOf).join()}, not ${expected}`)
  }

  #textOf(row: PaymentRow | null): string {
    if (row === null) return '-'
    const owner = row.owner === null ? NO_OWNER : this.#ownerIndex(row.owner)
    const leased = row.leaseUntil > this.#world.nowMs
    return `${row.state} owner ${owner} ${leased ? 'leased' : ''} tries ${row.attempts}`
  }

  #ownerIndex(owner: string): number {
    for (let replica = 0; replica < 2; replica += 1)
      if (this.#service.ownersOf(replica).at(-1) === owner) return replica
    return CRASHED
  }
}

function textOfRow(row: Row | null, { clock }: State): string {
  if (row === null) return '-'
  return `${row.state} owner ${row.owner} ${row.lease === clock ? 'leased' : ''} tries ${row.tries}`
}

/** What a step of the model does at the ports. */
function signatureOf(at: Pending, { before, seen }: Process): string {
  switch (at) {
    case 'wait':
    case 'first':
    case 'pause':
      return 'sleep'
    case 'attach':
      return 'attach'
    case 'claim':
    case 'reclaim':
      return at
    case 'send':
      return 'settle'
    case 'reply':
      return 'reply'
    case 'start':
      return 'move settling'
    case 'again':
      return 'move owner'
    case 'record':
    case 'settle':
      return 'move settled'
    case 'void':
      return 'move void'
    case 'doubt':
    case 'lease_over':
      return 'move in_doubt'
    case 'refuse':
      return 'move refused'
    case 'release':
      return `move ${before}`
    case 'unclaim':
      return 'move claimed'
    case 'let_go':
      return seen?.state === 'settling' ? 'move claimed' : 'move owner'
    case 'seize':
    case 'oust':
    case 'drop':
      return 'move owner'
    case 'sold':
      return 'sold'
  }
}

/** The same of a call of the code. */
function verbOf({ port, name, args }: HeldCall): string {
  if (port !== 'ledger') return port
  if (name === 'claim') return 'claim'
  const change = args[1] as { readonly state?: string; readonly owner?: unknown }
  if (name === 'reclaim') return change.owner === undefined ? 'attach' : 'reclaim'
  if (change.state === undefined) return 'move owner'
  return `move ${change.state}`
}

/** What a sale says, in the model's words. */
function sayingOf(sale: Sale | undefined): string {
  if (sale === undefined) return 'nothing'
  if (sale.kind === 'unpaid') return 'unpaid'
  if (sale.kind === 'sold') return 'sold'
  const sayings: Readonly<Record<string, string>> = {
    payment_in_doubt: 'in_doubt',
    facilitator_unavailable: 'not_sent',
    chain_unavailable: 'not_sent',
    store_unavailable: 'store',
    payment_already_used: 'used',
    replay_window_over: 'window',
    too_many_requests: 'wait_long',
  }
  return sayings[sale.code] ?? sale.code
}
