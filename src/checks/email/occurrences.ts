/** How often a sign stands in a text. */
export function occurrences(sign: string, text: string): number {
  let count = 0
  for (let index = text.indexOf(sign); index >= 0; index = text.indexOf(sign, index + 1)) count++
  return count
}
