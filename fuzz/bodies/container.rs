//! Containers of workbooks, made around parts that may be anything.

// Each of those who use this file needs a part of it.
#![allow(dead_code)]

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

/// An archive of these parts, packed.
pub fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let options = SimpleFileOptions::default();
        archive.start_file(*name, options).expect("memory can be written");
        archive.write_all(bytes).expect("memory can be written");
    }
    archive.finish().expect("memory can be written").into_inner()
}

const RELATIONS: &str = r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;

/// A workbook with one sheet and perhaps shared texts and styles.
pub fn xlsx(sheet: &[u8], texts: Option<&[u8]>, styles: Option<&[u8]>) -> Vec<u8> {
    let workbook = r#"<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
    let root = r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    parts.extend(texts.map(|texts| ("xl/sharedStrings.xml", texts)));
    parts.extend(styles.map(|styles| ("xl/styles.xml", styles)));
    zipped(&parts)
}

/// A binary workbook with one sheet.
pub fn xlsb(sheet: &[u8]) -> Vec<u8> {
    let wide = |text: &str| {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [(units.len() as u32 / 2).to_le_bytes().to_vec(), units].concat()
    };
    let bundle = [vec![0; 8], wide("rId1"), wide("S")].concat();
    let mut workbook = vec![0x9c, 0x01, bundle.len() as u8];
    workbook.extend(bundle);
    workbook.extend([0x90, 0x01, 0]);
    let relations = RELATIONS.replace("sheet1.xml", "sheet1.bin");
    zipped(&[
        ("xl/workbook.bin", &workbook),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/worksheets/sheet1.bin", sheet),
    ])
}

/// A document of sheets.
pub fn ods(content: &[u8]) -> Vec<u8> {
    zipped(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", b"<manifest:manifest/>"),
        ("content.xml", content),
    ])
}

const SECTOR: usize = 512;
const END: u32 = 0xFFFF_FFFE;
const FREE: u32 = 0xFFFF_FFFF;
const TABLE: u32 = 0xFFFF_FFFD;

/// A compound file with one stream, which is filled up to a length that needs no small sectors.
pub fn compound(name: &str, stream: &[u8]) -> Vec<u8> {
    let sectors = stream.len().max(4096).div_ceil(SECTOR);
    // The table takes as many sectors as it needs to tell of itself, of the directory and of the stream.
    let tables = (1..)
        .find(|tables| tables * SECTOR / 4 > tables + 1 + sectors)
        .expect("there is a number");
    let mut next = vec![TABLE; tables];
    next.push(END);
    let first = next.len() as u32;
    next.extend((1..sectors as u32).map(|after| first + after));
    next.push(END);
    next.resize(tables * SECTOR / 4, FREE);

    let mut header = vec![0; SECTOR];
    header[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    header[24..34].copy_from_slice(&[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    let mut put = |at: usize, number: u32| header[at..at + 4].copy_from_slice(&number.to_le_bytes());
    put(44, tables as u32);
    put(48, tables as u32);
    put(56, 4096);
    put(60, END);
    put(68, END);
    (0..109).for_each(|place| {
        let listed = if place < tables { place as u32 } else { FREE };
        put(76 + 4 * place, listed);
    });

    let mut directory = entry("Root Entry", 5, END, 0);
    directory.extend(entry(name, 2, first, stream.len().max(4096) as u32));
    let mut file = header;
    file.extend(next.iter().flat_map(|number| number.to_le_bytes()));
    directory.resize(SECTOR, 0);
    file.extend(directory);
    file.extend(stream);
    file.resize(SECTOR * (1 + tables + 1 + sectors), 0);
    file
}

fn entry(name: &str, kind: u8, first: u32, length: u32) -> Vec<u8> {
    let mut entry = vec![0; 128];
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    entry[..units.len()].copy_from_slice(&units);
    entry[64] = units.len() as u8 + 2;
    entry[66] = kind;
    entry[116..120].copy_from_slice(&first.to_le_bytes());
    entry[120..124].copy_from_slice(&length.to_le_bytes());
    entry
}
