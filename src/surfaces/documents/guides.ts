/** The guides under `docs/`, served as they are written: `/docs/a2a` is `docs/a2a.md`. */
import { readdirSync, readFileSync } from 'node:fs'
import type { StaticDocument } from '../../http/body/static-document.ts'

const GUIDES = new URL('../../../docs/', import.meta.url)

/**
 * Reads every guide that ships with the service, with the public address in place of `BASE_URL`.
 *
 * Each is served with its suffix, too, which is how guides link to each other. The decision records in a folder of
 * their own are for those who read the code.
 */
export function guides(baseUrl: string, directory: URL = GUIDES): readonly StaticDocument[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.md'))
  return names.sort().flatMap((name) => {
    const body = readFileSync(new URL(name, directory), 'utf8').replaceAll('BASE_URL/', `${baseUrl}/`)
    return [name.slice(0, -'.md'.length), name].map((path) => ({
      route: `/docs/${path}`,
      body,
      contentType: 'text/markdown; charset=utf-8',
    }))
  })
}
