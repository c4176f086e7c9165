/** The only number of a text is not always the value of the type that the text names. */
import { describe, expect, it } from 'vitest'
import { type TextReading, textReader } from '../../../../../src/surfaces/a2a/request/text/read-text-order.ts'
import { realRegistry } from '../../../../support/registry.ts'

const read = textReader(realRegistry())
/** A quote may guess; over a paying fetch only a certain one asks for money. */
const isSold = (reading: TextReading) => reading.kind === 'order' && reading.certain

describe('a number that is not of the type beside it', () => {
  it.each([
    'On 2026-11-23 check the NIP',
    '12.11.2026 IBAN',
    'e-mail from 12.11.2026',
    'VAT due 25.11.2026',
    'Invoice 2026/11/42: is the NIP ok?',
    'Call 600100200 about the NIP',
    'NIP tel. 600100200',
    'REGON? tel: 600100200',
    'My phone number is 600 100 200, what does a REGON check cost?',
    'What is the REGON of 5260250274?',
    'IBAN missing, account 532013000',
    'IBAN starts with DE89 and ends with 3000',
    'SWIFT COBADEFF370 for the IBAN',
    'I lost my PESEL, my ID card is ABC123456',
    'no PESEL, passport AB1234567',
    'NIP costs 0.001?',
    'Where is the IBAN result of c2e6ed75-890d-4d66-bb61-f194f4d42013?',
    'pay from 0xB072C9ee606edb16B1e4B35f09531dd609980c90, check the NIP',
    'Order 1234567890 needs a NIP check',
    'Invoice no. 1234567890: check the NIP',
    'ticket number 44051401359, check the PESEL',
    'Kundennummer 5260250274: bitte NIP prüfen',
    'Retry the IBAN check c2e6ed75-890d-4d66-bb61-f194f4d42013',
    'skill iban 1.2.0',
    'ref: ABC123 IBAN please',
    'VAT invoice no. FV20261142',
    'Faktura VAT FV20261142',
    'check NIP -5260250274',
    'is DEUTSCHE12345 a valid IBAN?',
  ])('is not sold: %s', (text) => {
    expect(isSold(read(text))).toBe(false)
  })

  it.each([
    ['the NIP number is 12345', 'pl-nip', '12345'],
    ['is 12345 a valid NIP?', 'pl-nip', '12345'],
    ['Czy 12345 to poprawny NIP?', 'pl-nip', '12345'],
    ['Would 1234567 be accepted as a REGON?', 'pl-regon', '1234567'],
    ['type: eu-vat, value: RO12', 'eu-vat', 'RO12'],
    ['NIP validation: 526025027', 'pl-nip', '526025027'],
    ['IBAN given by the customer: DE89 3704', 'iban', 'DE89 3704'],
    ['The VAT number of the supplier is RO12', 'eu-vat', 'RO12'],
    ['Is the following a valid PESEL? 4405140135', 'pl-pesel', '4405140135'],
    ['Run a Polish REGON check on 0331501', 'pl-regon', '0331501'],
    ['12345 (NIP)', 'pl-nip', '12345'],
    ['IBAN no. XX00', 'iban', 'XX00'],
    ['Our supplier called about the NIP, it should be 5260250274', 'pl-nip', '5260250274'],
    ['The NIP of our customer: 5260250274', 'pl-nip', '5260250274'],
    ['Faktura VAT PL5260250274', 'eu-vat', 'PL5260250274'],
    ['is ATU1234567 a valid EU VAT number?', 'eu-vat', 'ATU1234567'],
    ['check NIP 5-260250274', 'pl-nip', '5-260250274'],
    ['The NIP of the supplier is 12345', 'pl-nip', '12345'],
    ['check IBAN GB29 NWBK 6016 1331', 'iban', 'GB29 NWBK 6016 1331'],
    ['check NIP "526 025 02 7"', 'pl-nip', '526 025 02 7'],
    ['check IBAN GB82-WEST-1234-5698-7654-3', 'iban', 'GB82-WEST-1234-5698-7654-3'],
    ['check IBAN GB82WEST12345698765432'.padEnd(4_000), 'iban', 'GB82WEST12345698765432'],
    ['They sent the PESEL of Jan Kowalski: 44051401359', 'pl-pesel', '44051401359'],
    ['NIP "2026-11-23"', 'pl-nip', '2026-11-23'],
  ])('differs from a value that is named, or has the outline of its type: %s', (text, type, value) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: type }, value })
  })
})

describe('a number that begins like an IBAN', () => {
  it.each([
    'Check EORI number DE123456789012345',
    'EORI: PL526025027400000',
    'Gläubiger-ID DE98ZZZ09999999999',
    'Is the reference RF18 5390 0754 7034 valid?',
    'Validate invoice number FV20261100420001',
    'Check order number PO20261123000451',
  ])('is not sold as one that no word names: %s', (text) => {
    expect(read(text)).toEqual({ kind: 'unclear', reason: 'no_type' })
  })

  it.each([
    ['Check account number DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
    ['Is nl91abna0417164301 right?', 'nl91abna0417164301'],
    ['IBAN RF18 5390 0754 7034', 'RF18 5390 0754 7034'],
    ['IBAN DE98ZZZ09999999999', 'DE98ZZZ09999999999'],
  ])('is sold with a name, or with a country and its length: %s', (text, value) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: 'iban' }, value })
  })
})

it.each([
  ['a mark that no one sees stands beside it', 'check NIP \u2060 5260250274', 'unclear_value'],
  ['a word only begins like one that announces it', 'NIP valued 12345', 'unclear_value'],
  ['the text is longer than any order', 'check IBAN GB82WEST12345698765432'.padEnd(4_001), 'text_too_long'],
])('a value is not taken from a text where %s', (_what, text, reason) => {
  expect(read(text)).toMatchObject({ kind: 'unclear', reason })
})
