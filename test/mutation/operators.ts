/** What can be changed in a module of `src`, one place at a time: read from its syntax tree, and from the SQL in its texts. */
import { parseAst } from 'rolldown/parseAst'

/** One change of one file: the text between two offsets is replaced. */
export interface Mutant {
  /** From the root of the project. */
  readonly path: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly operator: string
}

/** A node of the ESTree that the parser gives; its other members depend on the type. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

type Change = Omit<Mutant, 'path'>

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '+=': ['-=', '='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
}

const METHODS: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  filter: 'slice',
  toSorted: 'slice',
  reverse: 'slice',
  all: 'race',
}

/** Links of a chain of calls that can be left out: what is before them has the same type. */
const LINKS = new Set(['where', 'catch', 'finally', 'forUpdate', 'toLowerCase', 'trim'])

/** Names of durations: a number given under one is also shifted by a factor of sixty. */
const DURATION = /(?:ms|seconds?|minutes?|hours?|days?|every|after|life|ttl|delay|interval|timeout|until)$/i
/** Calls whose texts and arguments are for people. */
const FOR_PEOPLE = /^(?:log|console|span|report|setAccessLogFields)$|Error$/
const SQL = /\b(?:select|update|insert into|delete from|where|order by|and|not exists|is null)\b/

const SQL_SWAPS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ and [a-z_.]+ (?:[<>!]?=|[<>]|is(?: not)?|in) ?(?::\w+|null|'\w+'|\d+|[a-z_.]+)/g, ['']],
  [/(?<= )= (?=:)/g, ['!= ']],
  [/(?<= )< /g, ['<= ', '> ']],
  [/(?<= )<= /g, ['< ']],
  [/(?<= )> /g, ['>= ', '< ']],
  [/(?<= )>= /g, ['> ']],
  [/\bis null\b/g, ['is not null']],
  [/\bis not null\b/g, ['is null']],
  [/\bnot exists\b/g, ['exists']],
  [/ and /g, [' or ']],
  [/ or /g, [' and ']],
  [/ desc\b/g, [' asc']],
  [/\border by \w+(?!\w| desc)/g, ['order by 1']],
  [/(?<= )\+ /g, ['- ']],
  [/\bmin\(/g, ['max(']],
  [/\bmax\(/g, ['min(']],
  [/\bcoalesce\((\w+), (:?\w+)\)/g, ['$2', '$1']],
  [/\bfor update\b|\bskip locked\b/g, ['']],
]

/** Every change of one file, in the order of their places. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const changes: Change[] = []
  const { body } = parseAst(source, { lang: 'ts' }, path) as unknown as { body: readonly Node[] }
  const words = wordsOf(source)
  visit(body, (node, parents) => changes.push(...changesOf(node, parents, source, words)))
  const isOfStore = path.startsWith('src/ledger/')
  return changes
    .filter(({ operator }) => operator !== 'SQL' || isOfStore)
    .map((change) => ({ path, ...change }))
    .sort((one, other) => one.start - other.start)
}

/** Functions of a file, as the offsets at which their bodies begin and end. */
export function functionsOf(
  path: string,
  source: string,
): { start: number; end: number; isBlock: boolean }[] {
  const found: { start: number; end: number; isBlock: boolean }[] = []
  const { body } = parseAst(source, { lang: 'ts' }, path) as unknown as { body: readonly Node[] }
  visit(body, (node) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    const inner = node.body as Node | null
    if (inner !== null)
      found.push({ start: inner.start, end: inner.end, isBlock: inner.type === 'BlockStatement' })
  })
  return found
}

function visit(
  node: unknown,
  see: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see, parents)
  else if (isNode(node)) {
    if (node.type === 'ImportDeclaration' || node.type === 'ThrowStatement' || isType(node)) return
    if (isForPeople(node.type === 'ExpressionStatement' ? (node.expression as Node) : node)) return
    see(node, parents)
    for (const member of Object.values(node))
      if (typeof member === 'object') visit(member, see, [node, ...parents])
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Types are erased; the expressions inside `as`, `satisfies` and `!` are not. */
const isType = ({ type }: Node) => type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)

function isForPeople(node: Node): boolean {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false
  const callee = node.callee as Node
  const name = callee.type === 'MemberExpression' ? (callee.object as Node).name : callee.name
  return typeof name === 'string' && FOR_PEOPLE.test(name)
}

/** The words in lower case that a file uses as values, such as states and events. */
const wordsOf = (source: string): readonly string[] => [
  ...new Set([...source.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map((match) => match[1] as string)),
]

function changesOf(node: Node, parents: readonly Node[], source: string, words: readonly string[]): Change[] {
  const of = (at: Node) => source.slice(at.start, at.end)
  const replace = (operator: string, text: string, at: { start: number; end: number } = node): Change => ({
    operator,
    start: at.start,
    end: at.end,
    text,
  })
  const list = (member: unknown) => (member as readonly Node[] | null) ?? []
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const [left, right] = [node.left as Node, node.right as Node]
      const sign = source.indexOf(node.operator as string, left.end)
      const at = { start: sign, end: sign + (node.operator as string).length }
      if (at.end > right.start) return []
      return (SWAPS[node.operator as string] ?? []).map((text) => replace('operator', text, at))
    }
    case 'UpdateExpression':
      return SWAPS[node.operator as string]!.map((text) =>
        replace('operator', of(node).replace(node.operator as string, text)),
      )
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-'
        ? [replace('negation', of(node.argument as Node))]
        : []
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return ['true', 'false']
        .filter((text) => node.type !== 'WhileStatement' || text === 'false')
        .map((text) => replace('condition', text, node.test as Node))
    case 'AwaitExpression':
      return [replace('dropped await', of(node.argument as Node))]
    case 'ExpressionStatement':
      return (node.expression as Node).type === 'Literal' ? [] : [replace('dropped statement', ';')]
    case 'BlockStatement':
    case 'Program':
      return reordered(list(node.body), of, replace)
    case 'CallExpression':
    case 'NewExpression': {
      // The order of what these are given does not matter.
      const isCommutative = /^Math\.(?:min|max)$/.test(of(node.callee as Node))
      const args = isCommutative ? [] : list(node.arguments)
      const swapped = args.slice(1).flatMap((second, index) => {
        const first = args[index]!
        if (of(first) === of(second)) return []
        const between = source.slice(first.end, second.start)
        const at = { start: first.start, end: second.end }
        return [replace('swapped arguments', `${of(second)}${between}${of(first)}`, at)]
      })
      const callee = node.callee as Node
      const method = callee.type === 'MemberExpression' ? String((callee.property as Node).name) : ''
      return LINKS.has(method)
        ? [...swapped, replace(`dropped ${method}`, of(callee.object as Node))]
        : swapped
    }
    case 'MemberExpression': {
      const other = METHODS[(node.property as Node).name as string]
      const isCalled = parents[0]?.type === 'CallExpression' && parents[0].callee === node
      return other !== undefined && isCalled ? [replace('method', other, node.property as Node)] : []
    }
    case 'SpreadElement':
      return parents[0]?.type === 'ObjectExpression' ? [replace('dropped spread', '...{}')] : []
    case 'TemplateElement':
      return sqlChanges(node, of(node))
    case 'Literal':
      return literalChanges(node, parents, of(node), words)
    default:
      return []
  }
}

/** Neighbouring statements in the other order, where each does something. */
function reordered(
  statements: readonly Node[],
  of: (node: Node) => string,
  replace: (operator: string, text: string, at: { start: number; end: number }) => Change,
): Change[] {
  const isActing = (node: Node) => node.type === 'ExpressionStatement' || node.type === 'VariableDeclaration'
  return statements.slice(1).flatMap((second, index) => {
    const first = statements[index]!
    if (!isActing(first) || !isActing(second)) return []
    if (first.type !== 'ExpressionStatement' && second.type !== 'ExpressionStatement') return []
    // What neither calls anything is the same in either order, or does not compile.
    if (!of(first).includes('(') || !of(second).includes('(')) return []
    return [replace('reordered', `${of(second)}\n${of(first)}`, { start: first.start, end: second.end })]
  })
}

function sqlChanges({ start }: Node, text: string): Change[] {
  if (!SQL.test(text)) return []
  return SQL_SWAPS.flatMap(([pattern, others]) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      others.map((other) => ({
        operator: 'SQL',
        start: start + match.index,
        end: start + match.index + match[0].length,
        text: other.replace(/\$(\d)/, (_, group: string) => match[Number(group)] ?? ''),
      })),
    ),
  )
}

function literalChanges(
  node: Node,
  parents: readonly Node[],
  raw: string,
  words: readonly string[],
): Change[] {
  const at = { start: node.start, end: node.end }
  const { value } = node
  if (typeof value === 'boolean') return [{ ...at, operator: 'boolean', text: String(!value) }]
  if (typeof value === 'bigint' || typeof value === 'number') {
    const end = typeof value === 'bigint' ? 'n' : ''
    const step = (by: number) => `${typeof value === 'bigint' ? value + BigInt(by) : value + by}${end}`
    const shifted = isDuration(parents) && value > 1 ? [`${raw} * 60${end}`, `${raw} / 60${end}`] : []
    return [
      ...(value > 0 ? [step(1), step(-1)] : [step(1)]).map((text) => ({ ...at, operator: 'number', text })),
      ...shifted.map((text) => ({ ...at, operator: 'shifted time', text: `(${text})` })),
    ]
  }
  if ('regex' in node) return patternChanges(node.start, raw)
  if (typeof value !== 'string') return []
  const isKey = parents[0]?.type === 'Property' && parents[0].key === node
  const next = words[(words.indexOf(value) + 1) % words.length]
  const word =
    words.includes(value) && !isKey && next !== value ? [{ ...at, operator: 'word', text: `'${next}'` }] : []
  return [...word, ...sqlChanges({ ...node, start: node.start }, raw), ...structureChanges(node.start, raw)]
}

const isDuration = (parents: readonly Node[]): boolean =>
  parents.slice(0, 4).some((each) => {
    const name =
      each.type === 'VariableDeclarator' ? each.id : each.type === 'Property' ? each.key : undefined
    return DURATION.test(String((name as Node | undefined)?.name ?? ''))
  })

/** Anchors, repetitions and classes of a pattern. */
function patternChanges(start: number, raw: string): Change[] {
  return [
    ...raw.matchAll(/(?<!\\)[+*?](?![:=!<])|(?<=^\/)\^|(?<!\\)\$(?=\/\w*$)|\\[dDwWsS]|\{\d+(?:,\d*)?\}/g),
  ].map((match) => ({
    operator: 'pattern',
    start: start + match.index,
    end: start + match.index + match[0].length,
    text: otherPattern(match[0]),
  }))
}

function otherPattern(text: string): string {
  if (text === '+') return '*'
  if (text === '*') return '+'
  if (text.startsWith('\\'))
    return `\\${text[1] === text[1]!.toUpperCase() ? text[1]!.toLowerCase() : text[1]!.toUpperCase()}`
  return text.startsWith('{') ? '+' : ''
}

/** Texts that are rules: structures of IBANs ("4!a6!n8!n"), positions in them, shapes of VAT numbers. */
function structureChanges(start: number, raw: string): Change[] {
  if (!/^'(?:(?:\d+![nac])+|\d+(?:-\d+)?|[9LXSUBGDHA01]{2,14})'$/.test(raw)) return []
  return [...raw].flatMap((sign, offset) => {
    const other = /\d/.test(sign)
      ? String((Number(sign) + 1) % 10)
      : { n: 'c', a: 'c', c: 'n', L: '9', X: '9' }[sign]
    return other === undefined
      ? []
      : [{ operator: 'structure', start: start + offset, end: start + offset + 1, text: other }]
  })
}
