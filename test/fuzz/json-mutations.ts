import type { SeededRandom } from '../support/seeded-random.ts'
import { CANARY, hostileLeaf, hostileText } from './hostile-values.ts'

type Path = readonly (string | number)[]

/** Members whose content the protocols ask to be repeated, so that the canary has no business there. */
const REPEATED: ReadonlySet<string | number> = new Set(['id', 'contextId', 'context_id', 'progressToken'])

const NEW_NAMES = [
  '__proto__',
  'constructor',
  'toJSON',
  'length',
  'value',
  'skill',
  'type',
  '',
  CANARY,
  'ſkill',
]

/** The document with one to four things in it changed; the original stays as it is. */
export function mutateJson(document: unknown, random: SeededRandom): unknown {
  let mutated = structuredClone(document)
  for (let left = 1 + random.int(4); left > 0; left--) mutated = mutateOnce(mutated, random)
  return mutated
}

function mutateOnce(document: unknown, random: SeededRandom): unknown {
  const path = pathIn(document, random)
  const leaf = () => harmlessWhereRepeated(path, random)
  switch (random.int(8)) {
    case 0:
      return replaceAt(document, path, leaf())
    case 1:
      return withoutAt(document, path)
    case 2:
      return replaceAt(document, path, [readAt(document, path)])
    case 3:
      return replaceAt(document, path, { value: readAt(document, path) })
    case 4:
      return replaceAt(document, path, nested(random, isNotRepeated(path) ? CANARY : 1))
    case 5:
      return withMember(document, path, random.pick(NEW_NAMES), leaf())
    case 6:
      return isNotRepeated(path)
        ? replaceAt(document, path, readAt(document, pathIn(document, random)))
        : document
    default:
      return replaceAt(document, path, textOf(readAt(document, path), random, path))
  }
}

const isNotRepeated = (path: Path) => !path.some((step) => REPEATED.has(step))

function harmlessWhereRepeated(path: Path, random: SeededRandom): unknown {
  return isNotRepeated(path) ? hostileLeaf(random) : random.pick([null, 1.5, 'a'.repeat(65), {}, [], '', -0])
}

/** The same leaf as a text, or a text bent in one place. */
function textOf(leaf: unknown, random: SeededRandom, path: Path): unknown {
  if (typeof leaf !== 'string') return JSON.stringify(leaf) ?? ''
  if (!isNotRepeated(path)) return leaf.toUpperCase()
  const at = random.int(leaf.length + 1)
  return leaf.slice(0, at) + hostileText(random) + leaf.slice(at + random.int(2))
}

function nested(random: SeededRandom, core: unknown): unknown {
  const depth = random.pick([2, 8, 46, 60])
  let inner = core
  for (let at = 0; at < depth; at++) inner = random.int(2) === 0 ? [inner] : { a: inner }
  return inner
}

/** A place in a document: down from its root, one member at a time, until chance says stop. */
function pathIn(document: unknown, random: SeededRandom): Path {
  const path: string[] = []
  for (let at = document; typeof at === 'object' && at !== null && random.int(6) > 0; ) {
    const names = Object.keys(at)
    if (names.length === 0) return path
    const name = random.pick(names)
    path.push(name)
    at = (at as Record<string, unknown>)[name]
  }
  return path
}

function readAt(document: unknown, path: Path): unknown {
  return path.reduce((at: unknown, step) => (at as Record<string, unknown> | undefined)?.[step], document)
}

function replaceAt(document: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (typeof document !== 'object' || document === null) return document
  const members = document as Record<string, unknown>
  return setMember(members, step, replaceAt(members[step], rest, value))
}

function withMember(document: unknown, path: Path, name: string, value: unknown): unknown {
  const parent = readAt(document, path)
  if (typeof parent !== 'object' || parent === null) return document
  if (Array.isArray(parent)) return replaceAt(document, path, [...parent, value])
  return replaceAt(document, path, setMember(parent as Record<string, unknown>, name, value))
}

/** A copy with a member of its own, also where the name is "__proto__". */
function setMember(members: Record<string, unknown>, name: string | number, value: unknown): unknown {
  if (Array.isArray(members) && members.length > 0)
    return members.with(Math.min(Number(name) || 0, Math.max(0, members.length - 1)), value)
  const entries = Object.entries(members).filter(([key]) => key !== String(name))
  return Object.fromEntries([...entries, [String(name), value]])
}

function withoutAt(document: unknown, path: Path): unknown {
  const [step, ...rest] = path
  if (step === undefined) return undefined
  if (typeof document !== 'object' || document === null) return document
  const members = document as Record<string, unknown>
  if (rest.length > 0) return setMember(members, step, withoutAt(members[step], rest))
  if (Array.isArray(members)) return members.filter((_, index) => index !== Number(step))
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== String(step)))
}
