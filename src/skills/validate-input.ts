/** Reads a skill's input for every surface, so that all of them refuse the same inputs. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { ErrorCode } from '../errors.ts'
import type { InputFault, JsonSchema, Skill } from './skill.ts'

export type InputReading =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: ErrorCode }

/**
 * Returns the value of an input object, or the code of its error.
 *
 * A length is counted in Unicode code points, as JSON Schema does. A lone surrogate is no Unicode text and has
 * no UTF-8 form, so no two parties could agree on what was checked.
 */
export function readInput(skill: Skill, input: unknown): InputReading {
  const code = skill.inputFault(input)
  if (code !== undefined) return { ok: false, code }
  const { value } = input as { readonly value: string }
  return value.isWellFormed() ? { ok: true, value } : { ok: false, code: 'value_not_unicode' }
}

/**
 * Compiles JSON Schemas (2020-12), of which tests say that they are such: compiling the meta-schema takes longer than all
 * that a start compiles.
 *
 * `ownProperties`: a client's member "__proto__" is unknown like any other, and inherited members do not count.
 */
export const schemaCompiler = (): Ajv2020 =>
  new Ajv2020({ strict: true, ownProperties: true, meta: false, validateSchema: false })

/** Compiles an input schema (2020-12); `test/skills/validate-input.test.ts` holds what every check refuses. */
export function compileInputFault(schema: JsonSchema, compiler: Ajv2020 = schemaCompiler()): InputFault {
  const validate = compiler.compile(schema)
  const inputFault: InputFault = (input) => {
    if (validate(input)) return undefined
    const [error] = validate.errors ?? []
    // Ajv keeps its errors, which name the client's members, on the function.
    validate.errors = null
    return codeOf(error)
  }
  return inputFault
}

function codeOf(error: ErrorObject | undefined): ErrorCode {
  switch (error?.keyword) {
    case 'required':
      return 'value_missing'
    case 'maxLength':
      return 'value_too_long'
    case 'additionalProperties':
      return 'unknown_field'
    default:
      return error?.instancePath === '' ? 'not_an_object' : 'value_not_string'
  }
}
