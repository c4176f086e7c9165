import { ListFault } from './list-fault.ts'

/** Texts of other programs that are no lists, by their first lines: their lines would be bought as values. */
const OTHER_TEXTS: readonly (readonly [name: string, lines: RegExp])[] = [
  ['a bank statement (MT940)', /^(?::20:|\{1:F)/],
  ['a bank statement (QIF)', /^!(?:Type|Account|Option):/i],
  // "ID;PESEL;Name" is a CSV; records of SYLK follow in the second line.
  ['a SYLK sheet', /^ID;P[^\r\n]*(?:\r\n|\n|\r)(?:[BCFPO];|E\r?$)/m],
  ['a DIF sheet', /^TABLE\s*(?:\r\n|\n|\r)0,1\s*(?:\r\n|\n|\r)/],
  ['a vCard', /^BEGIN:VCARD\s*$/im],
  ['an EDI file', /^(?:UNA.{6}|UNB\+|UNH\+|ISA\*)/],
  ['a bank statement (CAMT)', /^(?:<\?xml[^>]*>\s*)?<(?:\w+:)?(?:Document|BkToCstmr\w+)[\s>]/],
]

/** Throws {@link ListFault} for such a text. Its blank first lines count for nothing. */
export function refuseOtherText(sample: string): void {
  const text = sample.trimStart()
  const found = OTHER_TEXTS.find(([, lines]) => {
    const match = lines.exec(text)
    return match !== null && match.index === 0
  })
  if (found !== undefined)
    throw new ListFault(`the list is ${found[0]}; export its values as a workbook or CSV`)
}
