/** JSON for people: what fits on a line stays on one. */
export const compactJson = (value: unknown, width = 72): string => format(value, width, '', 0)

/** `lead` is the length of the key in front of the value. */
function format(value: unknown, width: number, indent: string, lead: number): string {
  const line = onOneLine(value)
  const fits = indent.length + lead + line.length <= width
  if (fits || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => format(each, width, inner, 0))
    : Object.entries(value).map(([name, each]) => {
        const key = `${JSON.stringify(name)}: `
        return `${key}${format(each, width, inner, key.length)}`
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
