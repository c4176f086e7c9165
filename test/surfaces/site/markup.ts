/** Just enough of HTML to hold pages to it: elements in order, with their attributes. */

export interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

const VOID = new Set(['meta', 'link', 'img', 'input', 'br', 'hr', 'line', 'rect', 'path'])
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:="[^"<]*")?)*)\s*\/?>/g

/** Every element; throws where one is not closed, closed twice, or nested wrongly. */
export function tagsOf(page: string): readonly Tag[] {
  const tags: Tag[] = []
  const open: string[] = []
  for (const [, slash, name = '', attributes = ''] of page.matchAll(TAG)) {
    if (slash === '/') {
      const last = open.pop()
      if (last !== name) throw new Error(`</${name}> closes <${last}>`)
      continue
    }
    const pairs = [...attributes.matchAll(/([a-zA-Z][\w-]*)(?:="([^"]*)")?/g)]
    tags.push({ name, attributes: new Map(pairs.map(([, key = '', value = '']) => [key, value])) })
    if (!VOID.has(name)) open.push(name)
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`)
  const rest = page.replace('<!doctype html>', '').replaceAll(TAG, '')
  if (/[<>]/.test(rest)) throw new Error(`a stray sign near: ${/.{0,40}[<>].{0,40}/.exec(rest)?.[0]}`)
  return tags
}

export const named = (tags: readonly Tag[], name: string): readonly Tag[] =>
  tags.filter((tag) => tag.name === name)

export const valuesOf = (tags: readonly Tag[], attribute: string): readonly string[] =>
  tags.flatMap((tag) => tag.attributes.get(attribute) ?? [])
