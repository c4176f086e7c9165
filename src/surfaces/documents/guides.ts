/** The guides under `docs/`, served as they are written: `/docs/a2a` is `docs/a2a.md`. */
import { readdirSync, readFileSync } from 'node:fs'
import type { StaticDocument } from '../../http/static-document.ts'

const GUIDES = new URL('../../../docs/', import.meta.url)

/** Reads every guide that ships with the service; the decision records in their own folder are not among them. */
export function guides(directory: URL = GUIDES): readonly StaticDocument[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => ({
    route: `/docs/${name.slice(0, -'.md'.length)}`,
    body: readFileSync(new URL(name, directory), 'utf8'),
    contentType: 'text/markdown; charset=utf-8',
  }))
}
