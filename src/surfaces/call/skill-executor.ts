/**
 * One executor for each skill, and one for lists of several skills. A surface decodes its protocol, calls an executor
 * and renders the reply. a2a/task/send-message.ts says why the A2A SDK's `AgentExecutor` is not used.
 */
import type { Skill, SkillRegistry } from '../../catalog/skill.ts'
import { readInput } from '../../catalog/validate-input.ts'
import { type ListReading, readItems, readValues } from '../../catalog/validate-list.ts'
import type { Items, Unpaid, ValueCall } from '../../payments/ports/sale.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import { mapAll, type NonEmpty } from '../../values/non-empty.ts'
import type { Caller, Counter } from './counter.ts'
import type { Reply } from './reply.ts'

/** The JSON of a body or the arguments of a tool, unvalidated; or values that the surface has read. */
export type Input = { readonly json: unknown } | { readonly items: Items }

export type Ordered = Pick<ValueCall, 'shape' | 'type'>

export interface Executor extends Ordered {
  quote(caller: Omit<Caller, 'payment'>): Promise<Unpaid>
  /** Reads, quotes and sells; from here on the work continues if the client disconnects. */
  execute(input: Input, caller: Caller): Promise<Reply>
}

export interface SkillExecutor extends Executor {
  readonly skill: Skill
  readonly list: Executor
}

export interface Executors {
  readonly skills: NonEmpty<SkillExecutor>
  readonly executeList: Executor
  of(ordered: Ordered): Executor
}

export interface ExecutorDeps {
  readonly registry: SkillRegistry
  readonly quote: QuoteBook
  readonly counter: Counter
}

export function skillExecutors({ registry, quote: quotes, counter }: ExecutorDeps): Executors {
  function executor(ordered: Ordered, read: (json: unknown) => ListReading): Executor {
    return {
      ...ordered,
      async quote(caller) {
        const quote = await quotes.of({ ...ordered, items: 1 }, caller.surface)
        return counter.settle({ kind: 'unpaid', code: 'payment_required', quote }, caller) as Unpaid
      },
      execute: (input, caller) =>
        counter.sell(
          {
            ...ordered,
            read: () => ('items' in input ? { ok: true, items: input.items } : read(input.json)),
            quote: (items) => quotes.of({ ...ordered, items }, caller.surface),
          },
          caller,
        ),
    }
  }
  const skills = mapAll(registry.all, (skill) => ({
    skill,
    ...executor({ shape: 'single', type: skill.id }, (json) => readOne(skill, json)),
    list: executor({ shape: 'list', type: skill.id }, (json) => readValues(skill, json)),
  }))
  const executeList = executor({ shape: 'list', type: 'mixed' }, (json) => readItems(registry, json))
  return {
    skills,
    executeList,
    of({ shape, type }) {
      const found = skills.find(({ skill }) => skill.id === type)
      return (shape === 'single' ? found : found?.list) ?? executeList
    },
  }
}

function readOne(skill: Skill, json: unknown): ListReading {
  const reading = readInput(skill, json)
  return reading.ok ? { ok: true, items: [{ skill, value: reading.value }] } : reading
}
