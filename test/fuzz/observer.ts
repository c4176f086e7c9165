import { CANARY } from './hostile-values.ts'
import type { FuzzInput } from './input.ts'
import { judge } from './judge.ts'
import type { WireAnswer } from './read-answers.ts'
import type { Finding } from './report.ts'
import { createVerdictBook } from './verdict-book.ts'

const MOST_FINDINGS = 50

/** Looks at everything that comes out of the service, and writes down what breaks a rule. */
export interface Observer {
  readonly kinds: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** Transactions that verdicts were given for. */
  paidFor(): ReadonlySet<string>
  answer(input: FuzzInput, answer: WireAnswer | null, number: number): void
  line(line: string): void
  found(rule: string, input?: FuzzInput, number?: number, answer?: WireAnswer): void
}

export function createObserver(onTask: (id: string) => void): Observer {
  const kinds: Record<string, number> = {}
  const statuses: Record<string, number> = {}
  const findings: Finding[] = []
  const book = createVerdictBook()

  function found(rule: string, input?: FuzzInput, number = -1, answer?: WireAnswer): void {
    if (findings.length >= MOST_FINDINGS) return
    const sent = input?.bytes.toString('latin1').slice(0, 3000) ?? ''
    const answered =
      answer === undefined ? '' : `${answer.head}\n\n${answer.body.toString('utf8').slice(0, 1000)}`
    findings.push({ rule, kind: input?.kind ?? 'service', number, sent, answered })
  }

  return {
    kinds,
    statuses,
    findings,
    paidFor: book.transactions,
    found,
    answer(input, answer, number) {
      kinds[input.kind] = (kinds[input.kind] ?? 0) + 1
      if (answer === null) {
        if (input.framed) found('no answer', input, number)
        return
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const { broken, verdict, task } = judge(input, answer)
      const twice = verdict === null ? null : book.note(verdict)
      for (const rule of twice === null ? broken : [...broken, twice]) found(rule, input, number, answer)
      if (typeof task === 'string') onTask(task)
    },
    line(line) {
      if (line.includes(CANARY)) found('a log line repeats the input')
      if (/"level":(50|60)/.test(line)) found(`logged: ${line.slice(0, 1500)}`)
    },
  }
}
