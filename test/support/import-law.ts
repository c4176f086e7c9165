import { dirname, join, normalize } from 'node:path'
import { moduleOf } from '../../scripts/checks-entries.ts'
import type { Room } from '../../scripts/doors.ts'

/** One source file: its path below `src/`, for the checks' package below `checks/`, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const CHECKS = /^format-checker-checks(?![\w-])/
/** What the buyer's program knows of a refusal, as the service does. */
const CATALOGUE = 'errors.ts'
/** Bounds of settings are multiples of it. */
const PRICE = 'catalog/price.ts'
const LEAVES = [CATALOGUE, PRICE, 'log.ts', 'config.ts']
/** General code that imports nothing else of ours. */
const GENERAL = ['values/', 'caches/', 'files/', 'outbound/']
/** Folders whose files every layer may import; the last is a table of data. */
const LEAF_ROOMS = [...GENERAL, 'payments/networks/']
const leafRoomOf = (path: string) => LEAF_ROOMS.find((room) => path.startsWith(room))
const isLeaf = (path: string) => LEAVES.includes(path) || leafRoomOf(path) !== undefined
/** Leaves that carry values of the running process: below the app only their types may be known. */
const TYPES_ONLY_BELOW_APP = ['log.ts', 'config.ts']

/**
 * What each layer may import beside itself and the leaves, left to right. The first are shared: the buyer's program imports
 * them too, and they import nothing but each other.
 */
const SHARED = {
  checks: [],
  catalog: ['checks'],
  lists: ['checks'],
  receipts: ['catalog', 'checks'],
  'command-line': ['lists', 'catalog', 'checks'],
} as const
const CORE = ['receipts', 'catalog', 'checks']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...SHARED,
  ledger: ['checks'],
  payments: ['ledger', ...CORE],
  http: [],
  surfaces: ['http', 'payments', 'ledger', 'lists', ...CORE],
  sandbox: ['payments', ...CORE],
  app: ['config', 'surfaces', 'http', 'payments', 'ledger', ...CORE],
  main: ['command-line', 'config', 'app', 'sandbox', 'surfaces', 'http', 'payments', 'ledger', ...CORE],
  cli: [
    ...[
      'command-line',
      'config',
      'main',
      'app',
      'sandbox',
      'surfaces',
      'http',
      'payments',
      'ledger',
      'lists',
    ],
    ...CORE,
  ],
}
const TOP = ['app', 'main', 'cli']

/** The room that every surface may import; it imports no surface. */
const SHARED_SURFACE = 'call'

/** Static imports and re-exports, over several lines too, and dynamic imports of a literal. */
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:([\w$*\s{},]+?)\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

/** Every breach of the import law among the given files, one line each; empty if the law holds. */
export function findBreaches(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => [
    ...importsOf(file).flatMap((each) => judgeImport(file, each)),
    ...judgeEnvironment(file),
  ])
}

interface Import {
  readonly specifier: string
  /** The path of the file, for ours; else as it stands. */
  readonly target: string
  readonly typesOnly: boolean
  /** Empty for a dynamic import. */
  readonly names: readonly string[]
}

function importsOf({ path, text }: SourceFile): readonly Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[3] ?? match[4] ?? ''
    return {
      specifier,
      target: targetOf(path, specifier),
      typesOnly: match[1] !== undefined,
      names: (match[2] ?? '').split(/[{},]|\btype\b|\bas \w+/).flatMap((name) => name.trim() || []),
    }
  })
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  return CHECKS.test(specifier) ? `checks/${moduleOf(specifier)}` : specifier
}

/** Every breach of the same law by the sources of packages; paths are below the root of the project. */
export function findPackageBreaches(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ target }) => target)
      .filter((target) => !isOpenToPackage(file.path.split('/src/')[0] ?? '', target))
      .map((target) => `${file.path}: a package imports the shared rooms of src alone (${target})`),
  )
}

function isOpenToPackage(folder: string, target: string): boolean {
  if (!target.endsWith('.ts') && !target.endsWith('.json')) return false
  if (!target.startsWith('src/')) return target.startsWith(`${folder}/`)
  const path = target.slice('src/'.length)
  return path === CATALOGUE || leafRoomOf(path) !== undefined || Object.hasOwn(SHARED, layerOf(path))
}

function judgeImport({ path }: SourceFile, { specifier, target, typesOnly }: Import): readonly string[] {
  const layer = layerOf(path)
  if (!specifier.startsWith('.')) {
    if (layer === 'checks') return [`${path}: a check is pure and imports no package (${specifier})`]
    if (!CHECKS.test(specifier)) return []
  }
  if (target.startsWith('..'))
    return path === 'files/version.ts' ? [] : [`${path}: leaves src/ (${specifier})`]
  if (!target.endsWith('.ts') && !target.endsWith('.json'))
    return [`${path}: import without extension (${specifier})`]
  // The parts of a leaf belong to it: they import each other, and the leaf puts them together.
  if (target.startsWith('config/') && (path === 'config.ts' || layer === 'config')) return []
  const room = leafRoomOf(target)
  if (room !== undefined && room === leafRoomOf(path)) return []
  if (isLeaf(target) && !GENERAL.includes(leafRoomOf(path) ?? '')) {
    if (layer === 'checks') return [`${path}: a check knows no leaf (${target})`]
    const typesNeeded = TYPES_ONLY_BELOW_APP.includes(target) && !TOP.includes(layer)
    return typesNeeded && !typesOnly ? [`${path}: ${target} may be imported as types only here`] : []
  }
  if (isLeaf(path) || layer === 'config') return [`${path}: a leaf imports nothing of ours (${target})`]
  const other = layerOf(target)
  if (other !== layer) {
    const allowed = MAY_IMPORT[layer]?.includes(other) ?? false
    return allowed ? [] : [`${path}: ${layer} may not import ${other} (${target})`]
  }
  const [surface, otherSurface] = [path.split('/')[1], target.split('/')[1]]
  return layer === 'surfaces' && surface !== otherSurface && otherSurface !== SHARED_SURFACE
    ? [`${path}: surfaces never import each other (${target})`]
    : []
}

function judgeEnvironment({ path, text }: SourceFile): readonly string[] {
  // What is only set or removed there is for Node itself and for packages.
  return path !== 'config.ts' && /(?<!\bdelete )\bprocess\.env\b(?!\.\w+ = )/.test(text)
    ? [`${path}: process.env is read in config.ts alone`]
    : []
}

/** The first folder, or the file's own name for the entry points. */
const layerOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.ts$/, '')

/** The pairs of rooms of a folder that import each other; a room is a file or folder right below it. */
export function mutualRooms(files: readonly SourceFile[], folder: string): readonly string[] {
  const roomOf = (path: string) =>
    path
      .slice(folder.length + 1)
      .split('/')[0]
      ?.replace(/\.ts$/, '')
  const arrows = new Set(
    files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => target.startsWith(`${folder}/`))
          .map(({ target }) => `${roomOf(file.path)} ${roomOf(target)}`),
      ),
  )
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ')
    return from < to && arrows.has(`${to} ${from}`)
  })
}

/** Every import of a file that is no door of its room by another room; paths are below `src/`, or `packages/`. */
export const pastDoors = (
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Room>>,
): readonly string[] =>
  crossings(files, rooms)
    .filter(({ room, inside }) => !rooms[room]?.doors.includes(inside))
    .map(({ path, room, inside }) => `${path}: ${inside} is no door of ${room} (scripts/rooms.json)`)

/** Every door that no other room imports. */
export function unusedDoors(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Room>>,
): readonly string[] {
  const used = new Set(crossings(files, rooms).map(({ room, inside }) => `${room}/${inside}`))
  return Object.entries(rooms)
    .flatMap(([room, { doors }]) => doors.map((door) => `${room}/${door}`))
    .filter((door) => !used.has(door))
}

/** The names that other rooms import from a room, beside those of a room in it; a door that is only opened late counts as one. */
export function namesOf(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Room>>,
  room: string,
): readonly string[] {
  const found = crossings(files, rooms).filter(
    (each) => each.room === room && roomOf(each.target, rooms) === room,
  )
  const named = new Set(found.flatMap(({ inside, names }) => names.map((name) => `${inside} ${name}`)))
  const late = found.filter(({ inside }) => ![...named].some((each) => each.startsWith(`${inside} `)))
  return [...new Set([...named, ...late.map(({ inside }) => `${inside} *`)])].sort()
}

/** The files of the heart that import from a wing. */
export const bridgesAmong = (
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Room>>,
): readonly string[] => {
  const found = crossings(files, rooms)
    .filter(({ path, room }) => rooms[room]?.part === 'wing' && partOf(path, rooms) === 'heart')
    .map(({ path }) => path)
  return [...new Set(found)].sort()
}

const partOf = (path: string, rooms: Readonly<Record<string, Room>>) => rooms[roomOf(path, rooms) ?? '']?.part

/** The imports that lead into a room from outside it. */
const crossings = (files: readonly SourceFile[], rooms: Readonly<Record<string, Room>>) =>
  files.flatMap((file) =>
    importsOf(file).flatMap(({ target: path, names }) => {
      const target = path.replace(/^(?:\.\.\/)*src\//, '')
      return Object.keys(rooms)
        .filter((room) => target.startsWith(`${room}/`) && !file.path.startsWith(`${room}/`))
        .map((room) => ({ path: file.path, target, room, inside: target.slice(room.length + 1), names }))
    }),
  )

/** The innermost room of a file. */
const roomOf = (path: string, rooms: Readonly<Record<string, Room>>): string | undefined =>
  Object.keys(rooms)
    .filter((room) => path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]

/** The files outside a folder that import from it. */
export const importersOf = (files: readonly SourceFile[], folder: string): readonly string[] =>
  files
    .filter(({ path }) => !path.startsWith(`${folder}/`))
    .filter((file) => importsOf(file).some(({ target }) => target.startsWith(`${folder}/`)))
    .map(({ path }) => path)
