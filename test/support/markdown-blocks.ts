/** A fenced block of a Markdown page. */
export interface Block {
  /** Line of its fence, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** What the HTML comments right before it say. */
  readonly marks: readonly string[]
}

/** The fenced blocks of a page in their order. */
export function blocksIn(page: string): readonly Block[] {
  const blocks: Block[] = []
  let marks: string[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  for (const [at, line] of page.split('\n').entries()) {
    if (open !== undefined) {
      if (line !== '```') open.lines.push(line)
      else {
        blocks.push({ line: open.line, language: open.language, text: open.lines.join('\n'), marks })
        open = undefined
        marks = []
      }
      continue
    }
    const fence = /^```(.*)$/.exec(line)
    const comment = /^<!-- (.*) -->$/.exec(line)
    if (fence !== null) open = { line: at + 1, language: (fence[1] ?? '').split(' ')[0] ?? '', lines: [] }
    else if (comment !== null) marks.push(comment[1] ?? '')
    else if (line.trim() !== '') marks = []
  }
  if (open !== undefined) throw new Error(`a block that is never closed, line ${open.line}`)
  return blocks
}

/** What follows a mark's name, e.g. "wallet" of "named: wallet"; undefined where there is no such mark. */
export function markOf({ marks }: Block, name: string): string | undefined {
  const mark = marks.find((each) => each === name || each.startsWith(`${name}: `))
  return mark === undefined ? undefined : mark.slice(name.length + 2)
}
