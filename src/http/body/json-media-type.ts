/** One parameter of a media type (RFC 9110, 5.6.6): a token or a quoted string after "=". */
const PARAMETER = /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)=("[^"\\]*"|[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*$/

/**
 * Parameters must be well formed, and a charset must be UTF-8 (RFC 8259, 8.1). Some programs give the type twice. The
 * package `content-type` skips malformed parameters.
 */
export function isJsonMediaType(header: string | undefined): boolean {
  if (header === 'application/json') return true
  return header?.toLowerCase().split(TWICE).every(isOneJson) ?? false
}

const TWICE = /,[ \t]*(?=application\/json)/

function isOneJson(header: string): boolean {
  const [type, ...parameters] = header.split(';')
  if (type?.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    if (parameter.trim() === '') return true
    const [, name, value] = PARAMETER.exec(parameter) ?? []
    if (name === undefined) return false
    return name !== 'charset' || /^"?utf-?8"?$/.test(value ?? '')
  })
}
