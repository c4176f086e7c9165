/**
 * Files of the operator under `/.well-known/`: what registries and indexes give out to prove who runs a host.
 *
 * Read once, at startup, so no request reaches the file system. Only plain files with a harmless name are published: no
 * hidden files, no subfolders, no links, nothing larger than 64 kB. A file that is not published is a startup error
 * rather than a silent gap.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StaticDocument } from '../../http/body/static-document.ts'
import { StartupError } from '../../skills/startup-error.ts'

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/
const MOST_BYTES = 64 * 1024
const MOST_FILES = 100

/** Reads the folder; null for none. Throws an StartupError that names what must be corrected. */
export function readOperatorFiles(directory: string | null): readonly StaticDocument[] {
  if (directory === null) return []
  let names: string[]
  try {
    names = readdirSync(directory).sort()
  } catch {
    throw new StartupError('WELL_KNOWN_DIR: the folder cannot be read')
  }
  if (names.length > MOST_FILES) throw new StartupError(`WELL_KNOWN_DIR: more than ${MOST_FILES} files`)
  return names.map((name) => operatorFile(directory, name))
}

function operatorFile(directory: string, name: string): StaticDocument {
  const fault = (rule: string) => new StartupError(`WELL_KNOWN_DIR: ${JSON.stringify(name)} ${rule}`)
  if (!NAME.test(name))
    throw fault('must have a name of A-Z, a-z, 0-9, ".", "_", "-" that does not start with "."')
  const path = join(directory, name)
  const stats = lstatSync(path)
  if (!stats.isFile()) throw fault('must be a plain file, not a folder or a link')
  if (stats.size > MOST_BYTES) throw fault('is larger than 64 kB')
  return {
    route: `/.well-known/${name}`,
    body: readFileSync(path),
    contentType: name.endsWith('.json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    modifiedAt: stats.mtimeMs,
  }
}

/** Served by the agent's own routes, which are asked after the documents. */
const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json']

/** The service's documents with the operator's files, none of which may replace one. */
export function withOperatorFiles(
  documents: readonly StaticDocument[],
  files: readonly StaticDocument[],
): readonly StaticDocument[] {
  const taken = new Set([...documents.map(({ route }) => route), ...CARD_PATHS])
  for (const { route } of files) {
    if (taken.has(route)) throw new StartupError(`WELL_KNOWN_DIR: the service itself publishes ${route}`)
  }
  return [...documents, ...files]
}
