/** How programs show long numbers: 5.260250274E9, or 5.26E+09 with digits lost. */
const NOTATION = /^\s*(\d)[.,](\d+)E\+?(\d+)\s*$/i

/** The digits, if there are exactly as many as the exponent says; null if some are lost; undefined for any other text. */
export function digitsOfNotation(text: string): string | null | undefined {
  const [, first = '', rest = '', exponent] = NOTATION.exec(text) ?? []
  if (exponent === undefined) return undefined
  return rest.length === Number(exponent) ? first + rest : null
}
