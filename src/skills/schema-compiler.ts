import { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * Compiles JSON Schemas (2020-12). Share one compiler: compiling the meta-schema takes longer than all of ours together.
 *
 * `ownProperties`: a client's member "__proto__" is unknown like any other, and inherited members do not count.
 */
export function schemaCompiler(): Ajv2020 {
  return new Ajv2020({ strict: true, ownProperties: true })
}
