import type { KeyObject } from 'node:crypto'
import { basename } from 'node:path'
import { NOT_DONE, SIGNER_UNCHECKED } from '../../../../src/command-line/exit-codes.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { utcTime } from '../../../../src/values/utc-time.ts'
import { networkTitle } from '../statement/network-title.ts'
import type { FileComparison } from './compare-file.ts'
import type { StatementProof } from './prove-statement.ts'
import { linesOf, type Report, UNCHECKED } from './report.ts'
import type { TrustedKey } from './trusted-keys.ts'

/** What the caller named beside the statement. */
export interface NamedBeside {
  readonly file: FileComparison
  readonly input: FileComparison
  readonly out: string | null
  readonly payers: readonly string[] | null
}

/** Reports a statement whose receipts the caller's keys have signed: the only way to the word "proved". */
export const provedStatement = (proof: StatementProof<TrustedKey>, beside: NamedBeside): Report => {
  const { isDone, signedBy, counts, shown, words } = report(proof, beside)
  return {
    code: isDone ? 0 : NOT_DONE,
    json: { keys: 'named', signedBy, proved: counts, ...shown },
    text: linesOf(`proved: ${inWords(counts)}`, {
      'signed by': signedBy.join(', '),
      'proved list': `${beside.out === null ? 'not written; --out names it' : many(counts.rows, 'row')}. Only it is evidence. No one signed the numbers of its cells.`,
      ...words,
    }),
  }
}

/** Reports a statement whose receipts the keys in it have signed, which anyone could have put there. */
export const consistentStatement = (proof: StatementProof<KeyObject>, beside: NamedBeside): Report => {
  const { isDone, signedBy, counts, shown, words } = report(proof, beside)
  return {
    code: isDone ? SIGNER_UNCHECKED : NOT_DONE,
    json: { keys: 'own', signedBy: null, consistent: { names: signedBy, ...counts, ...shown } },
    text: linesOf(UNCHECKED, { values: inWords(counts), names: signedBy.join(', '), ...words }),
  }
}

function report(proof: StatementProof<KeyObject>, { file, input, out, payers: expected }: NamedBeside) {
  const { payments, rows, named, transfers, found, unproven } = proof
  const signed = payments.map(({ receipt: { payload, kid }, values }) => ({
    ...{ transaction: payload.transaction, issuedAt: utcTime(payload.issuedAt), payer: payload.payer },
    ...{ payee: payload.payTo, network: networkTitle(payload.network, kid), amount: payload.amount, values },
  }))
  const counts = { values: sum(signed.map(({ values }) => BigInt(values))), named, rows }
  const payers = sumsBy([...signed, ...found], ({ payer }) => payer.toLowerCase())
  const times = signed.map(({ issuedAt }) => issuedAt).toSorted()
  const perValue = unique(signed.map(({ amount, values }) => String(BigInt(amount) / BigInt(values))))
  const paid = sum([...signed, ...found].map(({ amount }) => BigInt(amount)))
  const isOfOthers =
    expected === null ? payers.length > 1 : payers.some(([payer]) => !expected.includes(payer))
  const others = expected === null ? '; several, --payers names them' : '; not all are named by --payers'
  const onChain = transfers === null ? null : transfers.length + found.length
  const [first, last] = [times[0], times.at(-1)]
  const shown = {
    payers: Object.fromEntries(payers.map(([payer, amount]) => [payer, String(amount)])),
    payersNamed: expected !== null,
    payees: unique(signed.map(({ payee }) => payee)),
    networks: unique(signed.map(({ network }) => network)),
    ...{ firstIssuedAt: first, lastIssuedAt: last, paid: String(paid), perValue },
    unproven: String(sum(unproven)),
    transactions: signed.map(({ network: _, ...each }) => each),
    ...{ file, input, onChain },
  }
  return {
    ...{ counts: { ...counts, values: Number(counts.values) }, shown },
    isDone: !isOfOthers && Number(counts.values) === named && file !== 'changed' && input !== 'changed',
    signedBy: unique(payments.map(({ receipt: { kid } }) => kid)),
    words: {
      'paid by': `${payers.map(([payer, amount]) => `${payer} ${usdc(amount)}`).join(', ')}${isOfOthers ? others : ''}`,
      to: shown.payees.join(', '),
      network: shown.networks.join(', '),
      issued: first === last ? first : `${first} to ${last}`,
      paid: `${usdc(paid)} in ${many(signed.length + found.length, 'payment')}, ${perValue.map(usdc).join(' or ')} a value`,
      unproven:
        unproven.length === 0
          ? undefined
          : `${usdc(sum(unproven))} in ${many(unproven.length, 'payment')} without a receipt`,
      file: fileInWords(file, out, 'name LIST after the statement'),
      input: fileInWords(input, out, '--input names it'),
      transfers: onChain === null ? 'not looked for; --rpc-url asks a node' : `${onChain} on the chain`,
    },
  }
}

/** A forger lowers the second number too, so the report says whose it is. */
const inWords = ({ values, named }: { readonly values: number; readonly named: number }): string =>
  `${values} of ${many(named, 'value')}; the statement itself says how many there were, and no one signed that`

/** Never says "proved": another program may read another table in the file than this one would. */
function fileInWords(file: FileComparison, out: string | null, how: string): string {
  const evidence = `Only the rows in ${out === null || out === '-' ? 'the list of --out' : basename(out)} are evidence`
  if (file === 'not_compared') return `not compared; ${how}`
  if (file === 'changed') return `was changed since. ${evidence}`
  return `has the hash that the statement names. No one signed that hash, and columns, rows and sheets of the file may be the customer's own. ${evidence}`
}

function sumsBy<T extends { readonly amount: string | bigint }>(list: readonly T[], by: (item: T) => string) {
  return [...Map.groupBy(list, by)].map(
    ([name, group]) => [name, sum(group.map(({ amount }) => BigInt(amount)))] as const,
  )
}

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)]
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
