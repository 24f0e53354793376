//! Comma-separated text, read and written by a dozen lines of our own, so that a slip of the program's reader is not ours.

/// The records of a text, quotes undone. A line without a character is no record.
///
/// # Errors
/// A quote that is never closed, or stands where none may.
pub fn read(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut records = Vec::new();
    let mut record: Vec<String> = Vec::new();
    let mut cell = String::new();
    let (mut quoted, mut was_quoted) = (false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            _ if quoted => cell.push(letter),
            '"' if cell.is_empty() && !was_quoted => (quoted, was_quoted) = (true, true),
            '"' => return Err(format!("a quote inside a cell of record {}", records.len() + 1)),
            ',' => {
                record.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => {
                if was_quoted || !cell.is_empty() || !record.is_empty() {
                    record.push(std::mem::take(&mut cell));
                    records.push(std::mem::take(&mut record));
                }
                was_quoted = false;
            }
            _ => cell.push(letter),
        }
    }
    if quoted {
        return Err("a quote is never closed".to_owned());
    }
    if was_quoted || !cell.is_empty() || !record.is_empty() {
        record.push(cell);
        records.push(record);
    }
    Ok(records)
}

/// The text of these records, each cell in quotes if it needs them.
pub fn write<'r>(records: impl IntoIterator<Item = &'r Vec<String>>) -> String {
    let mut text = String::new();
    for record in records {
        let cells: Vec<String> = record.iter().map(|cell| written(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn written(cell: &str) -> String {
    let is_plain = !cell.is_empty() && !cell.contains([',', '"', '\n', '\r']);
    if is_plain {
        cell.to_owned()
    } else {
        format!("\"{}\"", cell.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let records = [["a", "b,c"], ["", "x\ny"], ["say \"hi\"", " blank "]];
        let records = records.map(|record| record.map(str::to_owned).to_vec());
        assert_eq!(read(&write(&records)).unwrap(), records);
        assert_eq!(read("a\n\n\"\"\nb").unwrap(), [["a"], [""], ["b"]]);
        assert!(read("a\"b").is_err() && read("\"a").is_err());
    }
}
