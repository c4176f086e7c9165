import type { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import type { BoughtList } from './bought-list.ts'

type Json = Record<string, unknown>

export type Subject = { input: Json; output: Json; list: Json; keys: Json; payments: Json[] } & Json

export const subjectOf = ({ statement }: Pick<BoughtList, 'statement'>): Subject =>
  structuredClone(statement) as unknown as Subject

/**
 * One random change of a statement, by what it changes. Of a refused one nothing is proved; `less` proves fewer values; `unsigned`
 * changes what no one signed, and the same values and answers are proved.
 */
export function changesBy(random: SeededRandom) {
  const DIGITS = '0123456789abcdefABCDEF'

  /** Another character in its place. */
  function spoil(text: string): string {
    const at = random.int(text.length)
    const others = [...DIGITS].filter((each) => each !== text[at])
    return text.slice(0, at) + random.pick(others) + text.slice(at + 1)
  }

  /** Leaves the head of gzip, whose time and system say nothing. */
  const spoilPacked = (text: string) => text.slice(0, 16) + spoil(text.slice(16))

  function swapTwo<T>(list: T[], differ: (one: T, other: T) => boolean): void {
    for (;;) {
      const [one, other] = [random.int(list.length), random.int(list.length)]
      const [first, second] = [list[one] as T, list[other] as T]
      if (!differ(first, second)) continue
      list[one] = second
      list[other] = first
      return
    }
  }

  const payment = ({ payments }: Subject): Json => random.pick(payments)
  const cellsOf = (of: Json) => of.cells as number[][]
  const settlementOf = (of: Subject) => payment(of).settlement as Json
  const extensionsOf = (of: Subject) =>
    settlementOf(of).extensions as Record<string, { info: { receipt: Json } & Json }>
  const lost = (of: Json) => ({
    ...{ amount: of.amount, payTo: of.payTo, cells: of.cells },
    authorization: {
      ...{ network: 'eip155:8453', payer: `0x${'2'.repeat(40)}`, nonce: `0x${'3'.repeat(64)}` },
      validBefore: 2_000_000_000,
    },
  })
  /** Every object in the statement that the grammar gives its members. */
  const objectsOf = (of: Subject): Json[] => [
    ...[of, of.input, of.output, of.list, ...of.payments, ...(of.list.columns as Json[])],
    ...of.payments.flatMap(({ settlement }) => {
      const { extensions } = settlement as { extensions: Record<string, Json> }
      return [settlement as Json, extensions as Json, ...Object.values(extensions)]
    }),
  ]

  const REFUSED: Readonly<Record<string, (subject: Subject) => unknown>> = {
    'an amount': (of) => {
      payment(of).amount = random.pick([
        ...[String(1 + random.int(4_999)), '', '-6000', '6000.0', ' 6000', 6000, null],
        ...[`0${payment(of).amount}`, '٦٠٠٠'],
      ])
    },
    'a payee': (of) => {
      const paid = payment(of)
      paid.payTo = random.pick([null, `0x${'1'.repeat(40)}`, String(paid.payTo).replace(/.$/, 'Z')])
    },
    'a signature': (of) => {
      const { receipt } = extensionsOf(of)['offer-receipt']?.info ?? {}
      if (receipt !== undefined) receipt.signature = spoil(String(receipt.signature))
    },
    'a salt': (of) => {
      const { info } = extensionsOf(of)['receipt-salt'] ?? {}
      if (info !== undefined) info.salt = spoil(String(info.salt))
    },
    'a transaction': (of) => {
      const settlement = settlementOf(of)
      settlement.transaction = spoil(String(settlement.transaction))
    },
    'a payer': (of) => {
      const settlement = settlementOf(of)
      settlement.payer = spoil(String(settlement.payer))
    },
    'a network': (of) => {
      settlementOf(of).network = 'eip155:1'
    },
    'no receipt': (of) => {
      payment(of).settlement = random.pick([null, {}, [], 'x'])
    },
    'what was asked': (of) => {
      const paid = payment(of)
      paid.request = random.pick(['', null, spoilPacked(String(paid.request)), paid.results])
    },
    'what was answered': (of) => {
      const paid = payment(of)
      paid.results = random.pick([null, '', spoilPacked(String(paid.results)), paid.request])
    },
    'line breaks or white space in base64': (of) => {
      const [paid, name] = [payment(of), random.pick(['request', 'results'])]
      const text = String(paid[name])
      const at = random.int(text.length + 1)
      paid[name] = text.slice(0, at) + random.pick(['\n', ' ', '=', '-']) + text.slice(at)
    },
    'a payment twice': ({ payments }) => payments.push(structuredClone(random.pick(payments))),
    'receipts swapped': ({ payments }) => {
      const settlements = payments.map(({ settlement }) => settlement)
      swapTwo(settlements, (one, other) => one !== other)
      for (const [at, each] of payments.entries()) each.settlement = settlements[at]
    },
    'a cell of two values': (of) => {
      const all = of.payments.flatMap(cellsOf)
      const at = random.int(all.length)
      const [taken = []] = all.filter((_, other) => other !== at)
      all[at]?.splice(0, 9, ...taken)
    },
    'a cell that is no number, or not in order': (of) => {
      const cells = cellsOf(payment(of)) as unknown[]
      cells[random.int(cells.length)] = random.pick([
        ...[null, 1, ['1'], [-1], [0], [1.5], {}, [50, 40], [50, 50]],
      ])
    },
    'a value more or less': (of) => {
      const cells = cellsOf(payment(of))
      if (random.int(2) === 0) cells.push([99])
      else cells.pop()
    },
    'a member that no one reads': (of) => {
      random.pick(objectsOf(of)).note = random.pick([null, 1, 'read me'])
    },
    'a member less': (of) => {
      const object = random.pick(objectsOf(of))
      delete object[random.pick(Object.keys(object))]
    },
    'the type of the column': ({ list }) => {
      list.columns = random.pick([[], [{ type: 'isin', column: 'iban' }], [{ type: 'iban' }], null])
    },
    'a hash of another form': (of) => {
      random.pick([of.input, of.output]).sha256 = random.pick(['00', 5, 'Z'.repeat(64)])
    },
  }

  const LESS: Readonly<Record<string, (subject: Subject) => unknown>> = {
    'a payment less': ({ payments }) => payments.splice(random.int(2), 1),
    'a payment that is said to have no answer': ({ payments }) => {
      const at = random.int(2)
      payments[at] = lost(payments[at] as Json)
    },
  }

  const UNSIGNED: Readonly<Record<string, (subject: Subject) => unknown>> = {
    'a payment more, without a receipt': ({ payments }) =>
      payments.push({ ...lost(payments[0] as Json), amount: String(random.int(1e9)), cells: [[90]] }),
    'a member before another': (of) => {
      const turned = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(turned)
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(
          Object.entries(value)
            .map(([name, each]) => [name, turned(each)] as const)
            .toSorted(() => random.int(3) - 1),
        )
      }
      const members = turned(of) as Json
      for (const name of Object.keys(of)) delete of[name]
      Object.assign(of, members)
    },
    'cells of two values swapped': (of) => swapTwo(cellsOf(payment(of)), (one, other) => one !== other),
    'a value in no cell': (of) => {
      const cells = cellsOf(payment(of))
      cells[random.int(cells.length)] = []
    },
    'a value in a cell more': (of) => void random.pick(cellsOf(payment(of))).push(77),
    'the name of the column, or of the sheet': ({ list }) => {
      list.columns = [{ type: 'email', column: random.pick([null, 'note', '3']) }]
      list.sheet = 'Suppliers'
    },
    'what was left out': ({ list }) => {
      list.leftOut = { empty: 1 + random.int(9) }
    },
    'the name of a file, or its hash': (of) => {
      of.output.file = random.pick(['suppliers.csv', '../out.csv', '/etc/passwd', 'a\0b', ''])
      random.pick([of.input, of.output]).sha256 = random.pick([null, 'ab'.repeat(32)])
    },
    'the service, or the time': (of) => {
      of.service = 'https://checks.bank.example/'
      of.finishedAt = 'yesterday'
    },
  }

  return { REFUSED, LESS, UNSIGNED }
}
