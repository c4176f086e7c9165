/** Adjacent fenced blocks whose info string has a title behind the language, e.g. "py Python", form one group of tabs. */
import type { Token } from 'markdown-it'

export interface CodeTab {
  readonly title: string
  readonly language: string
  readonly code: string
}

/** Leaves the first fence of each group in place, with the tabs of all of them. */
export function joinTitledFences(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const tab = tabFrom(token)
    const last = joined.at(-1)
    if (tab === null) joined.push(token)
    else if (last !== undefined && tabsOf(last).length > 0) last.meta = { tabs: [...tabsOf(last), tab] }
    else {
      token.meta = { tabs: [tab] }
      joined.push(token)
    }
  }
  return joined
}

export const tabsOf = ({ meta }: Token): readonly CodeTab[] =>
  (meta?.tabs as readonly CodeTab[] | undefined) ?? []

function tabFrom({ type, info, content }: Token): CodeTab | null {
  const [, language = '', title] = /^(\S+)\s+(.+)$/.exec(info.trim()) ?? []
  if (type !== 'fence' || title === undefined) return null
  return { title, language, code: content.replace(/\n$/, '') }
}
