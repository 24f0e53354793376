//! Sheets of OpenDocument, read row by row: what is repeated is counted, not copied.
//!
//! A cell may stand for 16,384 cells, a row for a million rows, an element of five letters for a thousand million
//! blanks. The cells themselves are those of ODF 1.2, 19.385: a value in an attribute if there is one, else the text.

use std::fs::File;
use std::io::{BufReader, Read};

use calamine::Data;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::super::file::{FileSource, open_file};
use super::super::guard::damaged;
use super::super::limits;
use super::sheet::{Filling, Sheet};
use super::wanted::{FORMAT, wanted};
use crate::Watch;
use crate::error::{Origin, ReadError};

const KIND: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";

/// The parts of the archive that are not the sheets are short.
const LONGEST_PART: u64 = 1 << 20;

/// Why reading stopped. What the parser says may quote a cell, so it is not kept.
enum Stop {
    Damaged,
    Refused(ReadError),
}

impl<E: std::error::Error> From<E> for Stop {
    fn from(_: E) -> Self {
        Stop::Damaged
    }
}

/// Reads the sheet that a source names, or the first; its texts may come to no more than this.
pub(super) fn read(source: &FileSource, most_text: u64, watch: &dyn Watch) -> Result<Sheet, ReadError> {
    let path = &source.path;
    let damaged = || damaged(path, FORMAT);
    let mut archive = ZipArchive::new(BufReader::new(open_file(path)?)).map_err(|_| damaged())?;
    if !part(&mut archive, "mimetype").is_some_and(|kind| kind.starts_with(KIND)) {
        return Err(damaged());
    }
    let manifest = part(&mut archive, "META-INF/manifest.xml").ok_or_else(damaged)?;
    let sealed = b"encryption-data";
    if manifest.windows(sealed.len()).any(|window| window == sealed) {
        return Err(damaged());
    }
    let content = archive.by_name("content.xml").map_err(|_| damaged())?;
    let mut content = Content::new(content, source.origin(), most_text);
    let look = |filling: &Filling| filling.look(source, watch).map_err(Stop::Refused);
    match content.find(source.sheet.as_deref(), &look) {
        Ok(Found::Sheet(sheet)) => Ok(sheet),
        Ok(Found::Others(known)) => wanted(source, known).and(Ok(Sheet::default())),
        Err(Stop::Refused(error)) => Err(error),
        Err(Stop::Damaged) => Err(damaged()),
    }
}

/// The start of a part that is not a sheet.
fn part(archive: &mut ZipArchive<BufReader<File>>, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let part = archive.by_name(name).ok()?;
    part.take(LONGEST_PART).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Looks whether to stop.
type Look<'l> = dyn Fn(&Filling) -> Result<(), Stop> + 'l;

enum Found {
    Sheet(Sheet),
    /// The names of the sheets, none of which is wanted.
    Others(Vec<String>),
}

/// The part with the sheets.
struct Content<'a> {
    xml: Reader<BufReader<ZipFile<'a, BufReader<File>>>>,
    buffer: Vec<u8>,
    origin: Origin,
    /// Bytes of text met so far.
    text: u64,
    most_text: u64,
}

const TABLE: QName<'static> = QName("table:table");
const ROW: QName<'static> = QName("table:table-row");
const CELL: QName<'static> = QName("table:table-cell");
const COVERED: QName<'static> = QName("table:covered-table-cell");
const NOTE: QName<'static> = QName("office:annotation");

impl<'a> Content<'a> {
    fn new(content: ZipFile<'a, BufReader<File>>, origin: Origin, most_text: u64) -> Self {
        let mut xml = Reader::from_reader(BufReader::new(content));
        let config = xml.config_mut();
        config.check_end_names = false;
        config.expand_empty_elements = true;
        Content {
            xml,
            buffer: Vec::new(),
            origin,
            text: 0,
            most_text,
        }
    }

    /// The next event, which must be there.
    fn next(&mut self) -> Result<Event<'_>, Stop> {
        self.buffer.clear();
        match self.xml.read_event_into(&mut self.buffer)? {
            Event::Eof => Err(Stop::Damaged),
            event => Ok(event),
        }
    }

    fn find(&mut self, name: Option<&str>, look: &Look) -> Result<Found, Stop> {
        let mut others = Vec::new();
        loop {
            self.buffer.clear();
            let table = match self.xml.read_event_into(&mut self.buffer)? {
                Event::Eof => return Ok(Found::Others(others)),
                Event::Start(start) if start.name() == TABLE => attribute(&start, "table:name")?,
                _ => None,
            };
            let Some(table) = table else { continue };
            if name.is_none_or(|name| name == table) {
                return self.sheet(look).map(Found::Sheet);
            }
            others.push(table);
        }
    }

    fn sheet(&mut self, look: &Look) -> Result<Sheet, Stop> {
        let mut filling = Filling::default();
        let mut number: u32 = 0;
        loop {
            let times = match self.next()? {
                Event::Start(start) if start.name() == ROW => times(&start, "table:number-rows-repeated")?,
                Event::End(end) if end.name() == TABLE => return Ok(filling.finish()),
                _ => continue,
            };
            let before = filling.cells.len();
            self.row(number, &mut filling, look)?;
            if times > 1 && filling.cells.len() > before {
                filling.repeated.insert(number, times);
            }
            number = number.checked_add(times).ok_or(Stop::Damaged)?;
        }
    }

    fn row(&mut self, number: u32, filling: &mut Filling, look: &Look) -> Result<(), Stop> {
        let mut column: u32 = 0;
        loop {
            let cell = match self.next()? {
                Event::Start(start) if start.name() == CELL || start.name() == COVERED => Cell::new(&start)?,
                Event::End(end) if end.name() == ROW => return Ok(()),
                _ => continue,
            };
            let times = cell.times;
            let data = match cell.data {
                Some(data) => {
                    self.skip_to_end()?;
                    data
                }
                None => Data::String(self.cell_text()?),
            };
            self.count(text_length(&data))?;
            look(filling)?;
            filling.fill(number, column, times, &data);
            column = column.checked_add(times).ok_or(Stop::Damaged)?;
        }
    }

    /// Leaves the cell that was just entered.
    fn skip_to_end(&mut self) -> Result<(), Stop> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Event::Start(start) if start.name() == CELL || start.name() == COVERED => depth += 1,
                Event::End(end) if end.name() == CELL || end.name() == COVERED => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// The text of the cell that was just entered, to its end.
    fn cell_text(&mut self) -> Result<String, Stop> {
        let mut text = String::new();
        let mut paragraphs = 0;
        let mut in_note = false;
        loop {
            let blanks = match self.next()? {
                Event::End(end) if end.name() == NOTE => {
                    in_note = false;
                    0
                }
                _ if in_note => 0,
                Event::Text(part) => {
                    text.push_str(&part.xml10_content());
                    0
                }
                Event::GeneralRef(part) => {
                    match (resolve_xml_entity(part.as_ref()), part.resolve_char_ref()?) {
                        (Some(known), _) => text.push_str(known),
                        (None, Some(character)) => text.push(character),
                        (None, None) => return Err(Stop::Damaged),
                    }
                    0
                }
                Event::End(end) if end.name() == CELL || end.name() == COVERED => return Ok(text),
                Event::Start(start) => match start.name() {
                    NOTE => {
                        in_note = true;
                        0
                    }
                    QName("text:p") => {
                        paragraphs += 1;
                        if paragraphs > 1 {
                            text.push('\n');
                        }
                        0
                    }
                    QName("text:tab") => {
                        text.push('\t');
                        0
                    }
                    QName("text:line-break") => {
                        text.push('\n');
                        0
                    }
                    QName("text:s") => times(&start, "text:c")?,
                    _ => 0,
                },
                _ => 0,
            };
            if blanks > 0 {
                self.count(u64::from(blanks))?;
                text.extend(std::iter::repeat_n(' ', blanks as usize));
            }
        }
    }

    fn count(&mut self, more: u64) -> Result<(), Stop> {
        self.text = self.text.saturating_add(more);
        limits::check(&self.origin, "bytes of text", self.text, self.most_text).map_err(Stop::Refused)
    }
}

fn text_length(data: &Data) -> u64 {
    match data {
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.len() as u64,
        Data::Empty | Data::Error(_) | Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::DateTime(_) => 0,
    }
}

/// What the start of a cell says.
struct Cell {
    times: u32,
    /// `None` if the text of the cell is its value.
    data: Option<Data>,
}

impl Cell {
    fn new(start: &BytesStart) -> Result<Cell, Stop> {
        let mut data = None;
        let (mut is_text, mut is_error) = (false, false);
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
            match attribute.key.0 {
                "calcext:value-type" => is_error = value == "error",
                // The first value counts.
                _ if data.is_some() => {}
                "office:value" => data = Some(Data::Float(value.parse()?)),
                "office:string-value" => data = Some(Data::String(value.into_owned())),
                "office:date-value" => data = Some(Data::DateTimeIso(value.into_owned())),
                "office:time-value" => data = Some(Data::DurationIso(value.into_owned())),
                "office:boolean-value" => data = Some(Data::Bool(value == "TRUE" || value == "true")),
                "office:value-type" => is_text = value == "string",
                _ => {}
            }
        }
        // LibreOffice has the text of an error in the cell, beside an empty value.
        let no_value = matches!(&data, Some(Data::String(text)) if text.is_empty() && is_error);
        Ok(Cell {
            times: times(start, "table:number-columns-repeated")?,
            data: match data {
                Some(_) if no_value => None,
                None if is_text => None,
                None => Some(Data::Empty),
                known => known,
            },
        })
    }
}

/// How often something stands there; once unless said otherwise.
fn times(start: &BytesStart, name: &str) -> Result<u32, Stop> {
    match attribute(start, name)? {
        Some(times) => Ok(times.parse()?),
        None => Ok(1),
    }
}

fn attribute(start: &BytesStart, name: &str) -> Result<Option<String>, Stop> {
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute?;
        if attribute.key.0 == name {
            return Ok(Some(attribute.normalized_value(XmlVersion::Implicit1_0)?.into_owned()));
        }
    }
    Ok(None)
}
