import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { ErrorCode } from '../errors.ts'
import type { InputFault, JsonSchema, Skill } from './skill.ts'

export type InputReading =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: ErrorCode }

/**
 * Lengths are Unicode code points, as in JSON Schema. A lone surrogate is refused: it has no UTF-8 form, so client and
 * service could not agree on what was checked.
 */
export function readInput(skill: Skill, input: unknown): InputReading {
  const code = skill.inputFault(input)
  if (code !== undefined) return { ok: false, code }
  const { value } = input as { readonly value: string }
  return value.isWellFormed() ? { ok: true, value } : { ok: false, code: 'value_not_unicode' }
}

/**
 * Does not validate the schemas themselves, which a test does: compiling the meta-schema takes longer than all else at
 * a start. `ownProperties`: inherited members do not count, and "__proto__" is an unknown field like any other.
 */
export const schemaCompiler = (): Ajv2020 =>
  new Ajv2020({ strict: true, ownProperties: true, meta: false, validateSchema: false })

export function compileInputFault(schema: JsonSchema, compiler: Ajv2020): InputFault {
  const validate = compiler.compile(schema)
  return (input) => {
    if (validate(input)) return undefined
    const [error] = validate.errors ?? []
    // Ajv leaves its errors on the function, and they hold names of the client's members.
    validate.errors = null
    return codeOf(error)
  }
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
