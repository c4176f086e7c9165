"""Writes and reads lists with openpyxl, pandas and csv, and compares what openpyxl finds in two workbooks."""
import csv
import json
import sys

import openpyxl
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableColumn, TableFormula


def cells_of(file):
    has = file['has']
    head = ['Name', file['heading'], 'Betrag']
    lines = []
    for row in file['rows']:
        value = int(row['value']) if has.get('number') and row['value'] else row['value'] or None
        lines.append([row['name'], value, row['amount']])
    return head, lines


def with_openpyxl(file):
    has = file['has']
    head, lines = cells_of(file)
    titles = has.get('sheets', ['Liste'])
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = titles[0]
    for title in titles[1:]:
        book.create_sheet(title).append(['Notiz', 'IBAN?', 42])
    for at in range(has.get('above', 0)):
        sheet.append([f'Zeile {at + 1}'])
    top = sheet.max_row + 1 if has.get('above') else 1
    formula = has.get('formulas') or has.get('table') == 'formula'
    sheet.append(head + (['Brutto'] if formula else []))
    for line in lines:
        sheet.append(line)
        row = sheet.max_row
        sheet.cell(row, 1).data_type = 's'
        sheet.cell(row, 1).quotePrefix = True
        if has.get('number'):
            sheet.cell(row, 2).number_format = '0000000000'
        if formula:
            sheet.cell(row, 4, f'=C{row}*1.19').number_format = '#,##0.00'
    bottom = sheet.max_row
    right = 4 if formula else 3
    area = f'A{top}:{"ABCD"[right - 1]}{bottom}'
    if 'note' in has:
        sheet.cell(top + 2, right + has['note'], 'bitte pruefen')
    if has.get('table'):
        table = Table(displayName='Lieferanten', ref=area)
        table._initialise_columns()
        for column, title in zip(table.tableColumns, head + ['Brutto']):
            column.name = title
        if has['table'] == 'formula':
            table.tableColumns[3].calculatedColumnFormula = TableFormula(attr_text='Lieferanten[[#This Row],[Betrag]]*1.19')
        sheet.add_table(table)
    if has.get('filter'):
        sheet.auto_filter.ref = area
        if has.get('active'):
            keep = [row['name'] for row in file['rows'][::2]]
            sheet.auto_filter.add_filter_column(0, keep)
            for at in range(1, len(lines), 2):
                sheet.row_dimensions[top + 1 + at].hidden = True
    if has.get('printArea'):
        sheet.print_area = area
    if has.get('styles'):
        for cell in sheet[top]:
            cell.font = Font(bold=True, color='FFFFFF')
            cell.fill = PatternFill('solid', fgColor='334455')
        sheet.cell(top + 1, 1).alignment = Alignment(wrap_text=True, horizontal='right')
        sheet.column_dimensions['A'].width = 33
        sheet.column_dimensions['C'].hidden = True
        sheet.freeze_panes = f'B{top + 1}'
        rule = CellIsRule(operator='lessThan', formula=['0'], font=Font(color='FF0000'))
        sheet.conditional_formatting.add(f'C{top + 1}:C{bottom}', rule)
        check = DataValidation(type='decimal', operator='lessThan', formula1='1000')
        check.add(f'C{top + 1}:C{bottom}')
        sheet.add_data_validation(check)
    book.save(file['path'])


def with_pandas(file):
    import pandas

    head, lines = cells_of(file)
    frame = pandas.DataFrame(lines, columns=head)
    path = file['path']
    if path.endswith('.xlsx'):
        frame.to_excel(path, sheet_name='Liste')
    elif path.endswith('.csv'):
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient='records', lines=True, force_ascii=False)


def encode(file):
    with open(file['path'], encoding='utf-8', newline='') as source:
        text = source.read()
    with open(file['path'], 'w', encoding=file['encoding'], newline='') as target:
        target.write(text)


def read_openpyxl(path):
    book = openpyxl.load_workbook(path)
    return [[list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book]


def read_pandas(path):
    import pandas

    frames = pandas.read_excel(path, sheet_name=None, header=None, dtype=object, keep_default_na=False)
    return [frame.values.tolist() for frame in frames.values()]


def read_csv(job):
    with open(job['path'], encoding=job['encoding'], newline='') as lines:
        return [list(csv.reader(lines, delimiter=job['delimiter']))]


def read_csv_pandas(job):
    import pandas

    frame = pandas.read_csv(
        job['path'],
        encoding=job['encoding'],
        sep=job['delimiter'],
        skiprows=job['above'],
        header=None,
        dtype=str,
        keep_default_na=False,
    )
    return [frame.values.tolist()]


def facts_of(path):
    """What a customer sees of each sheet beside the results: formulas, styles, widths, rules."""
    facts = {}
    book = openpyxl.load_workbook(path)
    for sheet in book:
        cells = {}
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None or cell.has_style:
                    look = (cell.font.b, cell.fill.fgColor.rgb, cell.alignment.wrap_text, cell.alignment.horizontal)
                    cells[cell.coordinate] = repr((cell.value, cell.data_type, cell.number_format, look))
        widths = {name: (each.width, each.hidden) for name, each in sheet.column_dimensions.items()}
        heights = {name: (each.height, each.hidden) for name, each in sheet.row_dimensions.items()}
        rules = [(str(each.sqref), [rule.formula for rule in each.rules]) for each in sheet.conditional_formatting]
        checks = [(str(each.sqref), each.formula1) for each in sheet.data_validations.dataValidation]
        columns = sorted(sheet.auto_filter.filterColumn, key=lambda each: each.colId)
        filters = [(each.colId, each.filters.filter if each.filters else None) for each in columns]
        sheet_facts = repr((sheet.freeze_panes, widths, heights, rules, checks, filters, sheet.sheet_state))
        facts[sheet.title] = {'cells': cells, 'sheet': sheet_facts}
    return facts


def changed(pair):
    before, after = map(facts_of, pair)
    found = []
    for title, facts in before.items():
        if title not in after:
            found.append(f'{title} is gone')
            continue
        if facts['sheet'] != after[title]['sheet']:
            found.append(f'{title}: {facts["sheet"]} became {after[title]["sheet"]}')
        for place, look in facts['cells'].items():
            if after[title]['cells'].get(place) != look:
                found.append(f'{title}!{place}: {look} became {after[title]["cells"].get(place)}')
    return found


def ranges(path):
    """What of the first sheet is sorted, filtered and printed together."""
    sheet = openpyxl.load_workbook(path).worksheets[0]
    tables = [table.ref for table in sheet.tables.values()]
    return {'filter': sheet.auto_filter.ref, 'tables': tables, 'used': sheet.dimensions}


ACTS = {
    'openpyxl': with_openpyxl,
    'pandas': with_pandas,
    'encode': encode,
    'read_openpyxl': read_openpyxl,
    'read_pandas': read_pandas,
    'read_text_csv': read_csv,
    'read_text_pandas': read_csv_pandas,
    'changed': changed,
    'ranges': ranges,
}


def done(act, job):
    """None for a file that the library cannot read."""
    if not act.__name__.startswith('read_'):
        return act(job)
    try:
        return act(job)
    except Exception as error:
        print(f'{job}: {error!r}', file=sys.stderr)


json.dump([done(ACTS[sys.argv[1]], job) for job in json.load(sys.stdin)], sys.stdout, default=str)
