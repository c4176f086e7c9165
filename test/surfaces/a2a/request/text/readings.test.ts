/** Single texts, each with what is read of it: sold or only quoted, with type and value, or the reason of the help. */
import { expect, it } from 'vitest'
import { textReader } from '../../../../../src/surfaces/a2a/request/text/read-text-order.ts'
import { realRegistry } from '../../../../support/registry.ts'

const readText = textReader(realRegistry())

function read(text: string): string {
  const reading = readText(text)
  if (reading.kind === 'unclear') return `${reading.reason} ${reading.skill?.id ?? ''}`.trim()
  return `${reading.certain ? 'sold' : 'quoted'} ${reading.skill.id} ${reading.value}`
}

it.each([
  ['validate iban', 'no_value iban'],
  ['NIP?', 'no_value pl-nip'],
  ['check IBAN NIP', 'several_types'],
  ['IBAN NIP 5260250274', 'several_types'],
  ['526-025 NIP 526025027 = 4', 'several_values pl-nip'],
  ['123456785 12347 PESEL', 'unclear_value pl-pesel'],
  ['785 NIP 526025027', 'quoted pl-nip 526025027'],
  ['VAT number 532013000 RO12', 'unclear_value eu-vat'],
  ['VAT 5260250274 PL', 'unclear_value eu-vat'],
  ['DE89 TVA: 3704', 'several_values eu-vat'],
  ['REGON 12 34 5 6 7 8 5 1 2 3 4 7', 'sold pl-regon 12 34 5 6 7 8 5 1 2 3 4 7'],
  ['REGON 12 3 4 5 6 7 8 5 1 2 3 4 7', 'unclear_value pl-regon'],
  ['NIP revalue 12345', 'unclear_value pl-nip'],
  ['check NIP "526 025 02 7" of "AB 12"', 'quoted pl-nip 526 025 02 7'],
  ['IBAN “DE89” of “ES X 234567”', 'quoted iban DE89'],
  ['An example of an IBAN is SE45500000000583/98257466.', 'unclear_value iban'],
  ['IBAN SE4550000/0000583', 'sold iban SE4550000/0000583'],
  ['BIC DEUTDEFF500 e-mail', 'unclear_value email'],
  ['is DE ABC123456 a NIP?', 'unclear_value pl-nip'],
  ['check IBl’AN 19', 'no_type'],
  ['NIP (5260250274(', 'unclear_value pl-nip'],
  ['„NIP„ 5260250274', 'no_type'],
  ['NIP(12345)', 'sold pl-nip 12345'],
  ['NIP() 5260250274', 'no_type'],
  ['TVA "a 4405140135"', 'quoted eu-vat a 4405140135'],
  ['"user@" email', 'quoted email user@'],
  ['email jan.example.com 12345', 'unclear_value email'],
  ['a b@c', 'no_type'],
  ['a@b c', 'no_type'],
  ["'a@b", 'no_type'],
  ['check VAT no. XX00.', 'unclear_value eu-vat'],
  ['the sold NIP 5260250274.', 'unclear_value pl-nip'],
  ['my one NIP is 5260250274.', 'quoted pl-nip 5260250274'],
  ['email val&ue=a@b', 'sold email val&ue=a@b'],
  ['email ue=a@b', 'unclear_value email'],
  ['email a@b.?x', 'unclear_value email'],
  ['email a@.pl?x', 'sold email a@.pl?x'],
  ['email a@.Please', 'sold email a@.Please'],
  ['email jan@example.Com.pl', 'sold email jan@example.Com.pl'],
  ['VAT "XX00,"', 'unclear_value eu-vat'],
  ['NIP 12345\u00a0', 'unclear_value pl-nip'],
  ['IBAN AT 14-digit', 'unclear_value iban'],
  ['NIP - v.2', 'sold pl-nip v.2'],
  ['NIP a\u2060 5260250274', 'quoted pl-nip 5260250274'],
  ['NIP \u2060 5260250274', 'unclear_value pl-nip'],
  ['VAT * 4', 'sold eu-vat 4'],
  ['VAT + 4', 'sold eu-vat 4'],
  ['VAT ?- 5260250274', 'unclear_value eu-vat'],
  ['TVA(TVA:', 'no_type'],
  ['a-NIP(12345)', 'no_type'],
  ['( NIP(12345)', 'sold pl-nip 12345'],
])('%j is %s', (text, reading) => {
  expect(read(text)).toBe(reading)
})
