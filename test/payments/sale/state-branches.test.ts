import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const SALE = join(import.meta.dirname, '../../../src/payments/sale')

/**
 * Branches by the state of a payment outside of the table, by file: what a row is before its claim is sent, what it was when it
 * was read, and what a task shows. The list only shrinks; a new branch is a row of the table.
 */
const LEFT: Readonly<Record<string, number>> = {
  'claim/claim-payment.ts': 4,
  'claim/guard-not-charged.ts': 1,
  'claim/reuse-earlier-payment.ts': 7,
  'purchase/receipt.ts': 1,
  'purchase/replay-window.ts': 1,
  'replay/observe-payment.ts': 6,
  'settle/record-outcome.ts': 2,
  'settle/settle-payment.ts': 1,
  'tasks/task-state.ts': 1,
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isState = (node: unknown): boolean => {
  const { type, name, property, expression } = node as Node
  if (type === 'ChainExpression') return isState(expression)
  return type === 'Identifier' ? name === 'state' : type === 'MemberExpression' && isState(property)
}

const branches = ({ type, ...node }: Node): boolean => {
  switch (type) {
    case 'BinaryExpression':
      return /^[!=]==$/.test(node.operator as string) && (isState(node.left) || isState(node.right))
    case 'SwitchStatement':
      return isState(node.discriminant)
    case 'MemberExpression':
      return node.computed === true && isState(node.property)
    case 'CallExpression':
      return isMembership(node.callee as Node) && (node.arguments as Node[]).some(isState)
    default:
      return false
  }
}

const isMembership = ({ type, property }: Node): boolean =>
  type === 'MemberExpression' && /^(?:includes|has|get)$/.test((property as Node).name as string)

function count(node: unknown): number {
  if (node === null || typeof node !== 'object') return 0
  const inside = Object.values(node).reduce<number>((sum, each) => sum + count(each), 0)
  return inside + (branches(node as Node) ? 1 : 0)
}

const branchesIn = (text: string): number => count(parseAst(text, { lang: 'ts' }, 'file.ts'))

test('a branch by the state of a payment is seen', () => {
  for (const text of [
    `if (row.state === 'settled') go()`,
    `if (row?.state === 'settled') go()`,
    `rows.find(({ state }) => state !== 'refused')`,
    `switch (row.state) {}`,
    `STEPS[row.state](row)`,
    `OPEN.includes(row.state)`,
  ])
    expect([text, branchesIn(text)]).toEqual([text, 1])
  expect(branchesIn(`ledger.move(row, { state: 'settled' })`)).toBe(0)
})

test('the table decides what follows from the state of a payment', () => {
  const found = globSync('**/*.ts', { cwd: SALE })
    .filter((path) => !/^table[\\/]next-step\.ts$/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), branchesIn(readFileSync(join(SALE, path), 'utf8'))] as const)
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(found)).toEqual(LEFT)
})
