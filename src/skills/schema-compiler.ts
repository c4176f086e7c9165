import { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * Compiles JSON Schemas (2020-12). One compiler for all of them: it compiles the schema of schemas first, which takes
 * longer than all of ours together.
 *
 * A member a client names "__proto__" is one of its own and unknown like any other; inherited members do not count.
 */
export function schemaCompiler(): Ajv2020 {
  return new Ajv2020({ strict: true, ownProperties: true })
}
