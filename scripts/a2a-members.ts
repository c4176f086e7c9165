/**
 * Writes the table of the members that A2A's parameters may have, from the protocol's own definition:
 *
 *   node scripts/a2a-members.ts specification/a2a.proto
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TABLE = new URL('../src/surfaces/a2a/request/members.generated.json', import.meta.url)
const SOURCE =
  'a2a.proto of A2A 1.0 (Apache-2.0), as in current_spec/ of a2aproject/a2a-tck, revision 410ba92'
/** The parameters of the methods that this agent has. */
const REQUESTS = ['SendMessageRequest', 'GetTaskRequest', 'ListTasksRequest', 'CancelTaskRequest']
const SCALARS = ['string', 'bool', 'int32', 'bytes']
const WELL_KNOWN: Readonly<Record<string, string>> = {
  'google.protobuf.Struct': 'struct',
  'google.protobuf.Value': 'value',
  'google.protobuf.Timestamp': 'timestamp',
}

const FIELD = /^\s*(repeated |optional )?([\w.]+) (\w+) = \d+/
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The kind of each member by its JSON name, for every message that a request holds; a repeated one ends with "[]". */
export function membersIn(proto: string): object {
  const bodyOf = (kind: string, name: string) =>
    new RegExp(`^${kind} ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(proto.replace(/\/\/.*$/gm, ''))?.[1]
  const messages: Record<string, Record<string, string>> = {}
  const enums: Record<string, readonly string[]> = {}
  const add = (type: string) => {
    if (SCALARS.includes(type) || type in messages || type in enums) return
    const words = bodyOf('enum', type)
    if (words !== undefined) {
      enums[type] = [...words.matchAll(/^\s*(\w+) = (\d+)/gm)].map(([, word = '', number], at) => {
        if (Number(number) !== at) throw new Error(`the numbers of ${type} are not in order`)
        return word
      })
      return
    }
    const body = bodyOf('message', type)
    if (body === undefined) throw new Error(`${type} is not defined`)
    const members: Record<string, string> = {}
    messages[type] = members
    for (const line of body.split('\n')) {
      const [found, label, type = '', name = ''] = FIELD.exec(line) ?? []
      if (found === undefined) continue
      members[camel(name)] = `${WELL_KNOWN[type] ?? type}${label === 'repeated ' ? '[]' : ''}`
      if (!(type in WELL_KNOWN)) add(type)
    }
  }
  for (const request of REQUESTS) add(request)
  return { source: SOURCE, messages, enums }
}

const [file] = process.argv.slice(2)
if (process.argv[1] === fileURLToPath(import.meta.url) && file !== undefined)
  writeFileSync(TABLE, `${JSON.stringify(membersIn(readFileSync(file, 'utf8')), null, 2)}\n`)
