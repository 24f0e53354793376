//! A [`Page`]: what there is to say, apart from how it is written.
//!
//! The same page becomes one self-contained HTML file ([`Page::html`]) and a plain text for a terminal or a repository
//! ([`Page::markdown`]), so the two cannot tell different things.

mod html;
mod markdown;

use crate::plot::Plot;

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What stands under it.
    pub subtitle: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Figures that are to be seen first.
    Facts(Vec<Fact>),
    /// Paragraphs that belong together.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture with what it shows.
    Figure {
        /// What it shows.
        caption: String,
        /// The picture.
        plot: Plot,
    },
    /// Pieces side by side where there is room.
    Beside(Vec<Block>),
    /// Words to be typed.
    Code(String),
    /// A heading and what belongs to it.
    Part {
        /// The heading.
        title: String,
        /// What belongs to it.
        blocks: Vec<Block>,
    },
    /// What only some want to see: open in print, folded on a screen, left out of the text.
    Folded {
        /// What is in it.
        summary: String,
        /// It.
        blocks: Vec<Block>,
    },
}

/// A figure with what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// It.
    pub value: String,
    /// What to think of it.
    pub tone: Tone,
}

/// What to think of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// It is as asked for.
    Good,
    /// It needs a look.
    Watch,
}

impl Tone {
    /// A sign for those who do not see colours.
    fn sign(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Good => "✓ ",
            Tone::Watch => "! ",
        }
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of its columns. Those that hold numbers are flush right.
    pub head: Vec<(String, Align)>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Words.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// What to think of it.
    pub tone: Tone,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell {
            text: text.into(),
            tone: Tone::Plain,
        }
    }
}

impl Table {
    /// A table without rows. A name that begins with `#` is of a column of numbers.
    pub fn new(head: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_prefix('#') {
            Some(name) => (name.to_owned(), Align::Right),
            None => (name.to_string(), Align::Left),
        };
        Table {
            head: head.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl Section {
    /// A section.
    pub fn new(title: &str, blocks: Vec<Block>) -> Self {
        Section {
            title: title.to_owned(),
            blocks,
        }
    }

    /// Its name in a link.
    fn anchor(&self) -> String {
        let letters = self.title.chars().map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        });
        letters.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Bar, Bars};

    fn page() -> Page {
        let mut table = Table::new(&["column", "#cells changed"]);
        table.push(["job|<x>", "25 %"]);
        let bar = Bar {
            label: "White <Collar>".to_owned(),
            rows: 3,
            note: "3".to_owned(),
        };
        let bars = Bars {
            bars: vec![bar],
            most: 3,
            soft: false,
        };
        Page {
            title: "A & B".to_owned(),
            subtitle: "for the house".to_owned(),
            sections: vec![Section::new(
                "What holds",
                vec![
                    Block::Facts(vec![Fact {
                        label: "smallest group".to_owned(),
                        value: "4".to_owned(),
                        tone: Tone::Good,
                    }]),
                    Block::Table(table),
                    Block::Figure {
                        caption: "job".to_owned(),
                        plot: Plot::Bars(bars),
                    },
                    Block::Folded {
                        summary: "all steps".to_owned(),
                        blocks: vec![Block::Text("step <1>".to_owned())],
                    },
                ],
            )],
        }
    }

    /// One file, nothing from outside, and nothing of the data is markup.
    #[test]
    fn the_html_stands_alone_and_escapes() {
        let html = page().html();
        assert!(html.starts_with("<!DOCTYPE html>"));
        for outside in ["<script", "src=", "@import", "url(", "<link"] {
            assert!(!html.contains(outside), "{outside}");
        }
        for text in [
            "A &amp; B",
            "job|&lt;x&gt;",
            "White &lt;Collar&gt;",
            "step &lt;1&gt;",
            "✓",
        ] {
            assert!(html.contains(text), "{text}");
        }
    }

    #[test]
    fn the_text_says_the_same() {
        let expected = "# A & B\n\nfor the house\n\n## What holds\n\n- smallest group: ✓ 4\n\n\
                        | column | cells changed |\n|---|---:|\n| job\\|<x> | 25 % |\n\n\
                        job\n\n|  |  |\n|---|---:|\n| White <Collar> | 3 |\n";
        assert_eq!(page().markdown(), expected);
    }
}
