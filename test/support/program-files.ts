/**
 * Forty files as programs of bookkeepers write them, by the documentation of those programs, with what must be bought of
 * each: written down before the reader was, the last eleven to judge it.
 */
import type { CheckType } from 'format-checker-checks/verdict'
import { encoded, ods, xlsx, zip } from './workbooks.ts'

const DE = 'DE89370400440532013000'
const PL = 'PL61109010140000071219812874'
const GB = 'GB82 WEST 1234 5698 7654 32'
const [NIP, NIP_TOO] = ['526-025-02-74', '5223122119']
const [VAT, VAT_TOO] = ['DE136695976', 'PL5260250274']

export interface ProgramFile {
  readonly program: string
  readonly type: CheckType
  readonly bytes: Uint8Array
  readonly column?: string
  readonly sheet?: string
  readonly encoding?: string
  /** What is bought, in order, and how often rows are left out by which code; or why the file is not taken. */
  readonly expect:
    | {
        readonly values: readonly string[]
        readonly left?: Readonly<Record<string, number>>
        readonly heading?: string
        readonly encoding?: string
      }
    | { readonly refused: RegExp }
}

const text = (lines: readonly string[], end = '\n') => Buffer.from(lines.map((line) => line + end).join(''))
const old = (lines: readonly string[], encoding: string) =>
  encoded(lines.map((line) => `${line}\r\n`).join(''), encoding)
const bom = (bytes: Uint8Array) => Buffer.concat([Buffer.from('\ufeff'), bytes])

export const PROGRAM_FILES: readonly ProgramFile[] = [
  {
    // developer.datev.de, DATEV format: a line of the format above the headings, CR LF, texts in quotes, code page 1252.
    program: 'DATEV EXTF, debtors and creditors',
    type: 'iban',
    bytes: old(
      [
        '"EXTF";700;16;"Debitoren/Kreditoren";5;20240130140440439;;"RE";"";"";29098;55003;20240101;4;;;"";"";;;;"";;"";;;"";;;"";""',
        'Konto;Name (Adressattyp Unternehmen);EU-Land;EU-UStID;Straße;Bankbezeichnung 1;IBAN-Nr. 1;SWIFT-Code 1',
        `10000;"Müller & Söhne";"DE";"136695976";"Hauptstraße 1";"Commerzbank";"${DE}";"COBADEFFXXX"`,
        `10001;"Größe GmbH";"";"";"";"";"";""`,
        `70000;"Bäcker ""Korn""";"";"";"";"";"${PL}";""`,
      ],
      'windows-1252',
    ),
    column: 'IBAN-Nr. 1',
    expect: { values: [DE, PL], left: { empty: 1 }, heading: 'IBAN-Nr. 1', encoding: 'windows-1252' },
  },
  {
    program: 'DATEV EXTF, postings: the VAT id of the destination',
    type: 'eu-vat',
    bytes: old(
      [
        '"EXTF";700;21;"Buchungsstapel";13;20240130140440439;;"RE";"";"";29098;55003;20240101;4;20240101;20240831;"Buchungsstapel";"WD";1;0;0;"EUR";;"";;;"03";;;"";""',
        'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;Buchungstext;EU-Land u. UStID (Bestimmung)',
        `119,00;"S";10000;8400;0512;"Büromöbel";"${VAT}"`,
        `23,80;"S";10001;8400;0612;"Wartung";"${VAT_TOO}"`,
      ],
      'windows-1252',
    ),
    column: '7',
    expect: { values: [VAT, VAT_TOO], encoding: 'windows-1252' },
  },
  {
    // Reports exported by QuickBooks: company, title and date above the headings, a total and a line of time below.
    program: 'QuickBooks Online, customer contact list',
    type: 'email',
    bytes: text(
      [
        'Nordwind Ltd',
        'Customer Contact List',
        '"As of May 5, 2024"',
        '',
        'Customer,Phone Numbers,Email,Full Name,Billing Address',
        '"Amy\'s Bird Sanctuary",(650) 555-3311,amy@birds.example,Amy Lauterbach,"4581 Finch St., Bayshore"',
        "Bill's Windsurf Shop,(415) 444-6538,surf@bill.example,Bill Lucchini,",
        'TOTAL,,,,',
        '',
        '"Sunday, May 05, 2024 10:11:12 AM GMT+2"',
      ],
      '\r\n',
    ),
    expect: {
      values: ['amy@birds.example', 'surf@bill.example'],
      left: { totals_row: 1, empty: 1 },
      heading: 'Email',
    },
  },
  {
    // SAP GUI, "unconverted" list: a title, rules, and cells between bars.
    program: 'SAP ALV list, unconverted',
    type: 'iban',
    bytes: old(
      [
        '05.05.2024               Dynamische Listenausgabe                  1',
        '-------------------------------------------------------------------',
        '|Kreditor|Name 1        |IBAN                              |BLZ    |',
        '-------------------------------------------------------------------',
        `|  100001|Müller        |${DE}            |37040044|`,
        `|  100002|Zürich AG     |${PL}      |       |`,
        '-------------------------------------------------------------------',
        '|*       |              |                                  |       |',
        '-------------------------------------------------------------------',
      ],
      'windows-1252',
    ),
    expect: { values: [DE, PL], left: { empty: 1, rule: 3 }, heading: 'IBAN' },
  },
  {
    program: 'SAP, spreadsheet export with tabs (UTF-16)',
    type: 'eu-vat',
    bytes: Buffer.from(`\ufeffKreditor\tName 1\tUSt-Id.Nr.\r\n100001\tMüller\t${VAT}\r\n`, 'utf16le'),
    column: 'USt-Id.Nr.',
    expect: { values: [VAT], encoding: 'utf-16le' },
  },
  {
    // Excel reads the delimiter from the first line.
    program: 'Excel, CSV with sep=',
    type: 'iban',
    bytes: bom(text(['sep=;', 'Lieferant;IBAN;Betrag', `Müller;${DE};1.234,50`, `Nowak;${PL};7,00`], '\r\n')),
    expect: { values: [DE, PL], heading: 'IBAN', encoding: 'utf-8' },
  },
  {
    program: 'Excel (Polish), "CSV (rozdzielany przecinkami)"',
    type: 'pl-nip',
    bytes: old(
      ['Kontrahent;NIP;Miejscowość', `Żółć Sp. z o.o.;${NIP};Łódź`, `Gęś;${NIP_TOO};Kraków`],
      'windows-1250',
    ),
    expect: { values: [NIP, NIP_TOO], heading: 'NIP' },
  },
  {
    program: 'Excel, CSV of a column shown as scientific numbers',
    type: 'iban',
    bytes: text(['name;iban', 'A;8,93704E+20', `B;${DE}`]),
    expect: { values: [DE], left: { digits_lost: 1 } },
  },
  {
    program: 'Comarch ERP Optima, contractors (windows-1250)',
    type: 'pl-nip',
    bytes: old(
      [
        'Kod;Grupa;Nazwa1;Kraj;Miasto;NIP',
        `"ŻABKA";"Główna";"Żabka";"Polska";"Poznań";"${NIP}"`,
        `"ŁÓDŹ";"Główna";"Łódzkie";"Polska";"Łódź";"${NIP_TOO}"`,
        `"BEZ";"Główna";"Święty";"Polska";"";""`,
      ],
      'windows-1250',
    ),
    encoding: 'windows-1250',
    expect: { values: [NIP, NIP_TOO], left: { empty: 1 }, encoding: 'windows-1250' },
  },
  {
    program: 'Symfonia, contractors with tabs (windows-1250)',
    type: 'pl-nip',
    bytes: old(['Kod\tNazwa\tNIP kontrahenta\tREGON', `K1\tŻuraw\t${NIP}\t010001345`], 'windows-1250'),
    expect: { values: [NIP], heading: 'NIP kontrahenta' },
  },
  {
    program: 'Płatnik, insured persons (ISO-8859-2)',
    type: 'pl-pesel',
    bytes: old(['Nazwisko;Imię;PESEL', 'Żółkiewska;Łucja;44051401359'], 'iso-8859-2'),
    encoding: 'iso-8859-2',
    expect: { values: ['44051401359'], encoding: 'iso-8859-2' },
  },
  {
    program: 'mBank, history of an account: lines above the headings (windows-1250)',
    type: 'iban',
    bytes: old(
      [
        'mBank S.A. Bankowość Detaliczna;',
        'Klient;',
        'JAN ŻÓŁĆ;',
        '',
        '#Data operacji;#Opis operacji;#Rachunek;#Kwota;',
        `2024-05-05;PRZELEW ŚWIADCZENIA;${PL};-1 234,50;`,
        `2024-05-06;OPŁATA;${DE};-7,00;`,
        ';;Razem;-1 241,50;',
      ],
      'windows-1250',
    ),
    expect: { values: [PL, DE], left: { totals_row: 1 }, heading: '#Rachunek' },
  },
  {
    program: 'GUS BIR, entities',
    type: 'pl-regon',
    bytes: text([
      'Regon,Nazwa,Wojewodztwo',
      '010001345,"POLSKI, ZWIĄZEK",MAZOWIECKIE',
      '="000331501",GUS,MAZOWIECKIE',
    ]),
    expect: { values: ['010001345', '000331501'] },
  },
  {
    program: 'LibreOffice Calc, spreadsheet',
    type: 'iban',
    bytes: ods({
      Dostawcy: [
        ['Nazwa', 'IBAN'],
        ['Żółć', PL],
        ['Müller & Söhne', GB],
        ['Razem', null],
      ],
    }),
    expect: { values: [PL, GB], left: { totals_row: 1 }, heading: 'IBAN' },
  },
  {
    program: 'LibreOffice Calc, numbers as numbers: zeros are lost, and the digits of long ones',
    type: 'pl-pesel',
    bytes: ods({
      Osoby: [
        ['Imię', 'PESEL'],
        ['A', 44051401359],
        ['B', 2070803628],
        ['C', 4405140135912345],
      ],
    }),
    expect: { values: ['44051401359', '2070803628'], left: { digits_lost: 1 } },
  },
  {
    program: 'Excel workbook, numbers as text',
    type: 'iban',
    bytes: xlsx({
      Blatt1: [
        ['Name', 'IBAN'],
        ['Müller', DE],
        ['Nowak <&>', PL],
      ],
    }),
    expect: { values: [DE, PL], heading: 'IBAN' },
  },
  {
    program: 'Excel workbook, numbers as numbers',
    type: 'pl-nip',
    bytes: xlsx({
      Arkusz1: [
        ['Firma', 'NIP'],
        ['A', 5260250274],
        ['B', NIP_TOO],
        ['C', 526025027400000000],
      ],
    }),
    expect: { values: ['5260250274', NIP_TOO], left: { digits_lost: 1 } },
  },
  {
    program: 'Excel workbook with a title, empty rows and a total',
    type: 'eu-vat',
    bytes: xlsx({
      Report: [
        ['Zusammenfassende Meldung', null, null],
        [],
        ['Kunde', 'USt-ID', 'Summe'],
        ['Müller', VAT, 119],
        ['Nowak', VAT_TOO, 23.8],
        ['Gesamtsumme', null, 142.8],
      ],
    }),
    expect: { values: [VAT, VAT_TOO], left: { totals_row: 1 }, heading: 'USt-ID' },
  },
  {
    program: 'Excel workbook whose second sheet has the column',
    type: 'email',
    bytes: xlsx({
      Cover: [['Exported by CRM']],
      Contacts: [
        ['Name', 'E-mail'],
        ['A', 'a@b.example'],
      ],
    }),
    expect: { values: ['a@b.example'], heading: 'E-mail' },
  },
  {
    program: 'Excel workbook with two such sheets',
    type: 'email',
    bytes: xlsx({
      'May 2024': [
        ['Name', 'Email'],
        ['A', 'a@b.example'],
      ],
      'June 2024': [
        ['Name', 'Email'],
        ['B', 'b@b.example'],
      ],
    }),
    sheet: 'June 2024',
    expect: { values: ['b@b.example'] },
  },
  {
    program: 'Google Sheets, CSV',
    type: 'email',
    bytes: text(
      ['Name,Email Address,Note', '"Doe, Jane",jane@doe.example,"said ""hi"""', 'Bob,bob@doe.example,'],
      '\r\n',
    ),
    expect: { values: ['jane@doe.example', 'bob@doe.example'], heading: 'Email Address' },
  },
  {
    program: 'Shopify, customers',
    type: 'email',
    bytes: text([
      'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Phone,Total Spent,Tags',
      '\'6940095564,Jane,Doe,jane@doe.example,yes,,\'+16135550127,12.00,"a, b"',
      "'6940095565,Bob,Norman,bob@norman.example,no,,,0.00,",
    ]),
    expect: { values: ['jane@doe.example', 'bob@norman.example'], heading: 'Email' },
  },
  {
    program: 'Stripe, customers',
    type: 'email',
    bytes: text([
      'id,Description,Email,Name,Created (UTC),Delinquent,Business Vat ID',
      `cus_1,,jane@doe.example,Jane,2024-05-05 10:11:12,false,${VAT}`,
      'cus_2,"multi\nline",bob@norman.example,Bob,2024-05-06 10:11:12,false,',
    ]),
    expect: { values: ['jane@doe.example', 'bob@norman.example'], heading: 'Email' },
  },
  {
    program: 'Stripe, customers: the VAT ids',
    type: 'eu-vat',
    bytes: text(['id,Description,Email,Name,Business Vat ID', `cus_1,,jane@doe.example,Jane,${VAT}`]),
    expect: { values: [VAT], heading: 'Business Vat ID' },
  },
  {
    program: 'PayPal, activity: whose address of two is to be bought is asked',
    type: 'email',
    bytes: bom(
      text(
        [
          '"Date","Time","Name","Type","Gross","From Email Address","To Email Address"',
          '"05/05/2024","10:11:12","Jane","Payment","12.00","jane@doe.example","shop@us.example"',
        ],
        '\r\n',
      ),
    ),
    expect: { refused: /--column: 6 "From Email Address" \(1 of 1 .*; 7 "To Email Address" / },
  },
  {
    program: 'PayPal, activity: the sender',
    type: 'email',
    bytes: bom(
      text(
        [
          '"Date","Name","From Email Address","To Email Address"',
          '"05/05/2024","Jane","jane@doe.example","x@us.example"',
        ],
        '\r\n',
      ),
    ),
    column: 'from email address',
    expect: { values: ['jane@doe.example'], heading: 'From Email Address' },
  },
  {
    program: 'an export that was cut off inside a quoted cell',
    type: 'iban',
    bytes: text(['name,iban', `A,${DE}`, `"B,${PL}`, `C,${DE}`]),
    expect: { refused: /line 3 on: the quote/ },
  },
  {
    program: 'this command, with results and signs against formulas',
    type: 'email',
    bytes: bom(
      text(
        ['email;note;valid;code;reason', "'+a@b.example;'=1+1;true;ok;Fine", 'b@b.example;;false;format;Not'],
        '\r\n',
      ),
    ),
    expect: { values: ['+a@b.example', 'b@b.example'], heading: 'email' },
  },
  {
    program: 'a workbook behind a password',
    type: 'iban',
    bytes: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    expect: { refused: /password|\.xls/ },
  },
  {
    program: 'a workbook that declares a document type',
    type: 'iban',
    bytes: zip({
      'xl/workbook.xml':
        '<!DOCTYPE x [<!ENTITY a "b">]><workbook><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships/>',
    }),
    expect: { refused: /document type/ },
  },
  {
    program: 'DATEV EXTF: accounts of the ledger, and two columns of IBANs',
    type: 'iban',
    bytes: old(
      [
        '"EXTF";700;16;"Debitoren/Kreditoren";5;20240130140440439;;"RE";"";"";29098;55003;20240101;4;;;"";"";;;;"";;"";;;"";;;"";""',
        'Konto;Name (Adressattyp Unternehmen);IBAN-Nr. 1;SWIFT-Code 1;IBAN-Nr. 2;SWIFT-Code 2',
        `70001;"Müller";"${DE}";"";"";""`,
        `70002;"Kraus";"${PL}";"";"${DE}";""`,
      ],
      'windows-1252',
    ),
    expect: { refused: /say which column .* 3 "IBAN-Nr\. 1" .* 5 "IBAN-Nr\. 2" / },
  },
  {
    program: 'Revolut Business, statement: an account by name beside the IBAN of the other side',
    type: 'iban',
    bytes: text([
      'Date started (UTC),ID,Amount,Account,Beneficiary account number,Beneficiary IBAN,Beneficiary BIC',
      `2024-01-30,abc,-1.00,Main,,${GB},WESTGB22`,
      '2024-01-29,abd,1.00,Main,,,',
    ]),
    expect: { values: [GB], left: { empty: 1 }, heading: 'Beneficiary IBAN' },
  },
  {
    // The account's own IBAN is above the table, which has no column of any.
    program: 'ING, statement of an account (ISO-8859-1)',
    type: 'iban',
    bytes: old(
      [
        ...['Umsatzanzeige;Datei erstellt am: 01.02.2024 10:00', '', `IBAN;${DE}`, 'Kontoname;Girokonto'],
        ...['Bank;ING', 'Saldo;1.234,56;EUR', ''],
        'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Betrag;Währung',
        ...Array.from({ length: 9 }, (_, at) => `0${at + 1}.01.2024;02.01.2024;Büro;Lastschrift;-45,00;EUR`),
      ],
      'windows-1252',
    ),
    expect: { refused: /fewer cells than the others/ },
  },
  {
    program: 'a bank, MT940',
    type: 'iban',
    bytes: text([
      ...[':20:STARTUMS', ':25:37040044/0532013000', ':28C:1/1', ':60F:C240101EUR1234,56'],
      ...[':61:2401300130D45,00NDDTNONREF', `:86:105?00LASTSCHRIFT?20EREF+1?31${DE}`, '-'],
    ]),
    expect: { refused: /a bank statement \(MT940\)/ },
  },
  {
    program: 'an address book, vCard',
    type: 'email',
    bytes: text([
      ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Ann', 'EMAIL;TYPE=WORK:ann@a.example', 'END:VCARD'],
      ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Bob', 'EMAIL:bob@b.example', 'END:VCARD'],
    ]),
    expect: { refused: /a vCard/ },
  },
  {
    program: 'Subiekt GT, contractors in EDI++ (windows-1250)',
    type: 'pl-nip',
    bytes: old(
      [
        '[INFO]',
        `"1.05.1",3,1250,"Subiekt GT","GT","GT","Firma","Łódź","90-001","Piotrkowska 1","${NIP}"`,
        ...['', '[NAGLOWEK]', '"KONTRAHENCI"', '', '[ZAWARTOSC]'],
        `0,"ABC","ABC Sp. z o.o.","Warszawa","00-001","Złota 1","${NIP}",,,`,
      ],
      'windows-1250',
    ),
    expect: { refused: /few cells look like values/ },
  },
  {
    program: 'Lexware Office, contacts',
    type: 'eu-vat',
    bytes: bom(text(['Kundennummer;Firmenname;Umsatzsteuer-ID;IBAN', `10001;Müller;${VAT};${DE}`], '\r\n')),
    expect: { values: [VAT], heading: 'Umsatzsteuer-ID' },
  },
  {
    program: 'Sage 50, suppliers',
    type: 'eu-vat',
    bytes: old(
      ['Account Reference,Account Name,VAT Registration Number,Credit Limit £', `A1,Déf,${VAT_TOO},0.00`],
      'windows-1252',
    ),
    expect: { values: [VAT_TOO], heading: 'VAT Registration Number' },
  },
  {
    program: 'Outlook, contacts: the second address has a number',
    type: 'email',
    bytes: old(
      [
        '"First Name","E-mail Address","E-mail Type","E-mail Display Name","E-mail 2 Address","E-mail 2 Type"',
        '"Zoë","zoe@a.example","SMTP","Zoë Lee (zoe@a.example)","",""',
      ],
      'windows-1252',
    ),
    expect: { values: ['zoe@a.example'], heading: 'E-mail Address' },
  },
  {
    program: 'BigQuery, JSON Lines: the member named as the type',
    type: 'email',
    bytes: text(['{"id":"1","email":"a@a.example"}', '{"id":"2","email":null}']),
    expect: { values: ['a@a.example'], left: { empty: 1 }, heading: 'email' },
  },
  {
    // Accounts in apostrophes, so that a spreadsheet keeps their digits; \N is the null of COPY.
    program: 'psql, COPY of accounts as mBank writes them',
    type: 'iban',
    bytes: text(['id\tiban', `1\t'${PL}'`, '2\t\\N', `3\t'${DE}'`]),
    expect: { values: [PL, DE], left: { not_a_value: 1 } },
  },
]
