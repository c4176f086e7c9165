/**
 * With files under `/.well-known/` an operator proves to registries that it runs the host. They are read once, at
 * startup. Any other file than a plain one with a harmless name stops the start, so that none is left out in silence.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../catalog/startup-error.ts'
import type { StaticDocument } from '../../http/body/static-document.ts'
import { PATHS } from '../call/paths.ts'

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/
const MOST_BYTES = 64 * 1024
const MOST_FILES = 100

const PUBLISHED = 'well-known'

/** Throws a StartupError for a file that cannot be published, or that this folder may not have. */
export function readOperatorFiles(operator: { operatorDir: string | null }): readonly StaticDocument[] {
  const { operatorDir: directory } = operator
  if (directory === null) return []
  const held = namesIn(directory).filter((name) => !name.startsWith('.'))
  const stranger = held.find((name) => name !== PUBLISHED)
  if (stranger !== undefined)
    throw new StartupError(`OPERATOR_DIR: ${JSON.stringify(stranger)} is not ${PUBLISHED}`)
  if (!held.includes(PUBLISHED)) return []
  const folder = join(directory, PUBLISHED)
  const names = namesIn(folder)
  if (names.length > MOST_FILES)
    throw new StartupError(`OPERATOR_DIR: more than ${MOST_FILES} files in ${PUBLISHED}`)
  return names.map((name) => operatorFile(folder, name))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    throw new StartupError('OPERATOR_DIR: the folder cannot be read')
  }
}

function operatorFile(directory: string, name: string): StaticDocument {
  const fault = (rule: string) => new StartupError(`OPERATOR_DIR: ${JSON.stringify(name)} ${rule}`)
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

/** Adds the operator's files; throws a StartupError if one would replace a document of the service. */
export function withOperatorFiles(
  documents: readonly StaticDocument[],
  files: readonly StaticDocument[],
): readonly StaticDocument[] {
  const taken = new Set([...documents.map(({ route }) => route), ...Object.values<string>(PATHS)])
  for (const { route } of files) {
    if (taken.has(route)) throw new StartupError(`OPERATOR_DIR: the service itself publishes ${route}`)
  }
  return [...documents, ...files]
}
