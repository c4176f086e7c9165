"""Writes, reads, sorts, filters and prints lists in one LibreOffice, which has a pipe and a profile of its own."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.sheet import TableFilterField2
from com.sun.star.sheet.FilterOperator2 import EQUAL
from com.sun.star.table import CellRangeAddress, TableSortField

FORMATS = {
    'xlsx': ('Calc MS Excel 2007 XML', ''),
    'xlsm': ('Calc MS Excel 2007 VBA XML', ''),
    'ods': ('calc8', ''),
    'pdf': ('calc_pdf_Export', ''),
    # Separated by semicolons, in windows-1250, as shown.
    'csv': ('Text - txt - csv (StarCalc)', '59,34,33,1,,0,false,true'),
}


class Office:
    def __init__(self, context):
        self.create = lambda name: context.ServiceManager.createInstanceWithContext(name, context)
        self.desktop = self.create('com.sun.star.frame.Desktop')
        self.menus = self.create('com.sun.star.frame.DispatchHelper')

    def open(self, url):
        return self.desktop.loadComponentFromURL(url, '_blank', 0, properties(Hidden=True))


def properties(**values):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


def start(folder):
    pipe = f'format-checker-{os.getpid()}'
    program = shutil.which('soffice')
    profile = f'-env:UserInstallation={uno.systemPathToFileUrl(os.path.join(folder, "profile"))}'
    arguments = ['--headless', '--norestore', '--nologo', '--nodefault', profile, f'--accept=pipe,name={pipe};urp;']
    process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext('com.sun.star.bridge.UnoUrlResolver', local)
    while True:
        try:
            context = resolver.resolve(f'uno:pipe,name={pipe};urp;StarOffice.ComponentContext')
            break
        except Exception:
            if process.poll() not in (None, 81):
                raise
            time.sleep(0.2)
    return process, Office(context)


def load(office, path):
    return office.open(uno.systemPathToFileUrl(path))


def save(document, path, **more):
    name, options = FORMATS[path.rsplit('.', 1)[1]]
    document.storeToURL(
        uno.systemPathToFileUrl(path), properties(FilterName=name, FilterOptions=options, **more)
    )


def address(sheet, left, top, right, bottom):
    return CellRangeAddress(sheet.RangeAddress.Sheet, left, top, right, bottom)


def select(document, cells):
    document.CurrentController.setActiveSheet(cells.Spreadsheet)
    document.CurrentController.select(cells)


def command(office, document, name):
    """A command of the menus."""
    office.menus.executeDispatch(document.CurrentController.Frame, f'.uno:{name}', '', 0, ())


def make(office, file):
    has = file['has']
    document = office.open('private:factory/scalc')
    sheets = document.Sheets
    titles = has.get('sheets', ['Liste'])
    sheet = sheets.getByIndex(0)
    sheet.Name = titles[0]
    for at, title in enumerate(titles[1:]):
        sheets.insertNewByName(title, at + 1)
        sheets.getByName(title).getCellByPosition(0, 0).String = 'Notiz'
    top = has.get('above', 0)
    for at in range(top):
        sheet.getCellByPosition(0, at).String = f'Zeile {at + 1}'
    number = has.get('number')
    lines = [('Name', file['heading'], 'Betrag')]
    for row in file['rows']:
        lines.append((row['name'], float(row['value']) if number and row['value'] else row['value'], row['amount']))
    bottom = top + len(lines) - 1
    sheet.getCellRangeByPosition(0, top, 2, bottom).setDataArray(lines)
    if has.get('formulas'):
        formulas = [('Brutto',), *((f'=C{line + 2}*1.19',) for line in range(top, bottom))]
        sheet.getCellRangeByPosition(3, top, 3, bottom).setFormulaArray(formulas)
    right = 3 if has.get('formulas') else 2
    if number:
        formats = document.NumberFormats
        key = formats.addNew('0000000000', uno.createUnoStruct('com.sun.star.lang.Locale'))
        sheet.getCellRangeByPosition(1, top + 1, 1, bottom).NumberFormat = key
    if 'note' in has:
        sheet.getCellByPosition(right + has['note'], top + 2).String = 'bitte pruefen'
    if has.get('styles'):
        sheet.getCellRangeByPosition(0, top, right, top).CharWeight = 150
        sheet.Columns.getByIndex(0).Width = 6000
    area = address(sheet, 0, top, right, bottom)
    if has.get('filter'):
        select(document, sheet.getCellRangeByPosition(0, top, right, bottom))
        command(office, document, 'DataFilterAutoFilter')
    if has.get('table'):
        document.DatabaseRanges.addNewByName('Lieferanten', area)
        document.DatabaseRanges.getByName('Lieferanten').AutoFilter = True
    if has.get('printArea'):
        sheet.setPrintAreas((area,))
    save(document, file['path'])
    document.close(True)


def used(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    return sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)


def read(office, path):
    document = load(office, path)
    if document is None:
        return None
    sheets = [used(sheet).DataArray for sheet in document.Sheets]
    document.close(True)
    return sheets


def judge(office, job):
    """Sorts the table or the range of the filter by the value, counts and tests verdicts by formulas, prints, and filters the invalid ones."""
    document = load(office, job['path'])
    sheet = document.Sheets.getByIndex(0)
    top, value, valid, bottom = job['top'], job['value'], job['valid'], job['bottom']
    cells = sheet.getCellRangeByName(job['range'])
    for name in document.DatabaseRanges.ElementNames:
        found = document.DatabaseRanges.getByName(name)
        if found.DataArea.Sheet == 0:
            cells = found.ReferredCells
    # Rows hidden by a filter of the customer's stay where they are, and a sort leaves them out.
    cells.filter(cells.createFilterDescriptor(True))
    field = TableSortField()
    field.Field, field.IsAscending = value - cells.RangeAddress.StartColumn, False
    fields = uno.Any('[]com.sun.star.table.TableSortField', (field,))
    uno.invoke(cells, 'sort', (properties(ContainsHeader=True, SortFields=fields),))
    rows = used(sheet).DataArray
    shown = [sheet.getCellByPosition(valid, top + at).String for at in range(1, 4)]
    free = used(sheet).RangeAddress.EndColumn + 2
    column = sheet.Columns.ElementNames[valid]
    tests = sheet.getCellRangeByPosition(free, top, free, bottom)
    count = f'=COUNTIF({column}:{column};FALSE())'
    lines = [(f'=IF({column}{line + 1}=FALSE();"stop";"pay")',) for line in range(top + 1, bottom + 1)]
    tests.setFormulaArray([(count,), *lines])
    (stops,), *texts = tests.DataArray
    tests.clearContents(1023)
    save(document, job['path'] + '.pdf')
    only = TableFilterField2()
    only.Field, only.Operator, only.IsNumeric, only.NumericValue = valid - cells.RangeAddress.StartColumn, EQUAL, True, 0.0
    descriptor = cells.createFilterDescriptor(True)
    descriptor.ContainsHeader = True
    descriptor.setFilterFields2((only,))
    cells.filter(descriptor)
    visible = [at for at in range(top + 1, bottom + 1) if sheet.Rows.getByIndex(at).IsVisible]
    save(document, job['path'] + '.filtered.pdf')
    document.close(True)
    return {'rows': rows, 'shown': shown, 'stops': stops, 'texts': [text for text, in texts], 'visible': visible}


ACTS = {'make': make, 'read': read, 'judge': judge}
folder = tempfile.mkdtemp()
process, office = start(folder)
try:
    act = ACTS[sys.argv[1]]
    json.dump([act(office, job) for job in json.load(sys.stdin)], sys.stdout)
finally:
    try:
        office.desktop.terminate()
    except Exception:
        pass
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
