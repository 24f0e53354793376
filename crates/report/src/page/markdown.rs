//! A page as plain text, in Markdown: for a terminal, a ticket, a repository.

use std::fmt::Write;

use super::{Align, Block, Cell, Page, Table};

impl Page {
    /// The whole text.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.subtitle);
        for section in &self.sections {
            let _ = write!(text, "\n## {}\n", section.title);
            write_blocks(&mut text, &section.blocks);
        }
        text
    }
}

fn write_blocks(text: &mut String, blocks: &[Block]) {
    for block in blocks {
        write_block(text, block);
    }
}

// Writing to a string does not fail.
fn write_block(text: &mut String, block: &Block) {
    match block {
        Block::Text(words) => {
            let _ = write!(text, "\n{words}\n");
        }
        Block::Facts(facts) => {
            text.push('\n');
            for fact in facts {
                let _ = writeln!(text, "- {}: {}{}", fact.label, fact.tone.sign(), fact.value);
            }
        }
        Block::List(items) => {
            text.push('\n');
            for item in items {
                let _ = writeln!(text, "- {item}");
            }
        }
        Block::Table(table) => write_table(text, table),
        Block::Figure { caption, plot } => {
            let mut table = Table::new(&["", "#"]);
            for (label, value) in plot.rows() {
                table.push([label, value]);
            }
            let _ = write!(text, "\n{caption}\n");
            write_table(text, &table);
        }
        Block::Beside(blocks) => write_blocks(text, blocks),
        Block::Code(code) => {
            let _ = write!(text, "\n```\n{}\n```\n", code.trim_end());
        }
        Block::Part { title, blocks } => {
            let _ = write!(text, "\n### {title}\n");
            write_blocks(text, blocks);
        }
        Block::Folded { .. } => {}
    }
}

fn write_table(text: &mut String, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push('\n');
    text.push_str(&line(table.head.iter().map(|(name, _)| escaped(name)).collect()));
    for (_, align) in &table.head {
        text.push_str(if *align == Align::Right { "|---:" } else { "|---" });
    }
    text.push_str("|\n");
    for row in &table.rows {
        let cell = |cell: &Cell| format!("{}{}", cell.tone.sign(), escaped(&cell.text));
        text.push_str(&line(row.iter().map(cell).collect()));
    }
}

/// A cell that does not end early.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
