/** Finds what can be changed in a module: numbers, comparisons, logical and arithmetic operators, conditions. */

export interface Mutant {
  readonly start: number
  readonly end: number
  readonly text: string
}

const SWAPS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/===/g, ['!==']],
  [/!==/g, ['===']],
  [/(?<=\s)<=(?=\s)/g, ['<', '>']],
  [/(?<=\s)>=(?=\s)/g, ['>', '<']],
  [/(?<=\s)<(?=\s)/g, ['<=', '>=']],
  [/(?<=\s)>(?=\s)/g, ['>=', '<=']],
  [/&&/g, ['||']],
  [/\|\|/g, ['&&']],
  [/\?\?(?!=)/g, ['&&']],
  [/(?<=\s)\+(?=\s)/g, ['-']],
  [/(?<=\s)-(?=\s)/g, ['+']],
  [/(?<=\s)\*(?=\s)/g, ['/']],
  [/(?<=\s)\/(?=\s)/g, ['*']],
  [/(?<=\s)%(?=\s)/g, ['*']],
  [/(?<=\s)&(?=\s)/g, ['|']],
  [/(?<=\s)\|(?=\s)/g, ['&']],
  [/(?<=[(\s])!(?=[\w(])/g, ['']],
  [/\btrue\b/g, ['false']],
  [/\bfalse\b/g, ['true']],
]

/** Every mutant of the JavaScript of one module. */
export function mutantsOf(source: string): Mutant[] {
  const code = withoutTexts(source)
  return [...numbers(code), ...operators(code), ...conditions(code), ...structures(source)].sort(
    (one, other) => one.start - other.start,
  )
}

function numbers(code: string): Mutant[] {
  return [...code.matchAll(/(?<![\w$.])(?:0x[0-9a-f]+|\d[\d_]*)(?![\w$])/gi)].flatMap((match) => {
    const value = Number(match[0].replaceAll('_', ''))
    const place = { start: match.index, end: match.index + match[0].length }
    return [
      { ...place, text: String(value + 1) },
      ...(value > 0 ? [{ ...place, text: String(value - 1) }] : []),
    ]
  })
}

function operators(code: string): Mutant[] {
  return SWAPS.flatMap(([pattern, texts]) =>
    [...code.matchAll(pattern)].flatMap((match) =>
      texts.map((text) => ({ start: match.index, end: match.index + match[0].length, text })),
    ),
  )
}

/** The conditions of if and while, taken as always true and never true. */
function conditions(code: string): Mutant[] {
  return [...code.matchAll(/\bif \(/g)].flatMap((match) => {
    const start = match.index + match[0].length
    const end = closingParenthesis(code, start)
    return ['true', 'false'].map((text) => ({ start, end, text }))
  })
}

function closingParenthesis(code: string, from: number): number {
  let depth = 1
  let index = from
  for (; depth > 0; index++) depth += code[index] === '(' ? 1 : code[index] === ')' ? -1 : 0
  return index - 1
}

/** Texts that are rules: structures of IBANs ("4!a6!n8!n"), positions in them, shapes of VAT numbers. */
function structures(source: string): Mutant[] {
  const rules = /'((?:\d+![nac])+|\d+(?:-\d+)?|[9LXSUBGDHA01]{2,14})'(?=[,\]])/g
  return [...withoutComments(source).matchAll(rules)].flatMap((match) => {
    const start = match.index + 1
    return [...match[1]!].flatMap((sign, offset) => {
      const other = OTHER_SIGN[sign]
      const place = { start: start + offset, end: start + offset + 1 }
      return other === undefined ? [] : [{ ...place, text: other }]
    })
  })
}

const OTHER_SIGN: Readonly<Record<string, string>> = {
  ...{ n: 'c', a: 'c', c: 'n', L: '9', X: '9', S: 'X', U: 'V', B: 'C' },
  ...{ 0: '1', 1: '2', 2: '3', 3: '4', 4: '5', 5: '6', 6: '7', 7: '8', 8: '9', 9: '8' },
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, ' '))
}

/** The same text with comments, strings, templates and patterns blanked out, at the same offsets. */
function withoutTexts(source: string): string {
  const texts =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[=(,:[!&|?{};\n]\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
  const blanked = source.replace(texts, (text) => text.replace(/[^\n]/g, ' '))
  return blanked.replace(/`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g, (text) => text.replace(/[^\n]/g, ' '))
}
