//! A page as one HTML file: its style inside, its pictures inside, no script, nothing from outside.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Align, Block, Cell, Fact, Page, Section, Table, Tone};
use crate::plot::Plot;

const STYLE: &str = include_str!("style.css");

impl Page {
    /// The whole file.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.private { "Private: may not leave the house" }
                        h1 { (self.title) }
                        p.subtitle { (self.subtitle) }
                        nav { ul { @for section in &self.sections {
                            li { a href=(format!("#{}", section.anchor())) { (section.title) } }
                        } } }
                    }
                    main { @for section in &self.sections { (of_section(section)) } }
                }
            }
        };
        page.into_string()
    }
}

fn of_section(section: &Section) -> Markup {
    html! {
        section id=(section.anchor()) {
            h2 { (section.title) }
            (of_blocks(&section.blocks))
        }
    }
}

fn of_blocks(blocks: &[Block]) -> Markup {
    html! { @for block in blocks { (of_block(block)) } }
}

fn of_block(block: &Block) -> Markup {
    match block {
        Block::Text(text) => html! { p { (text) } },
        Block::Facts(facts) => html! { dl.facts { @for fact in facts { (of_fact(fact)) } } },
        Block::List(items) => html! { ul { @for item in items { li { (item) } } } },
        Block::Table(table) => of_table(table),
        Block::Figure { caption, plot } => of_figure(caption, plot),
        Block::Beside(blocks) => html! { div.beside { @for block in blocks { div { (of_block(block)) } } } },
        Block::Code(text) => html! { pre { code { (text) } } },
        Block::Part { title, blocks } => html! { div.part { h3 { (title) } (of_blocks(blocks)) } },
        Block::Folded { summary, blocks } => html! { details { summary { (summary) } (of_blocks(blocks)) } },
    }
}

fn class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Good => Some("good"),
        Tone::Watch => Some("watch"),
    }
}

fn of_fact(fact: &Fact) -> Markup {
    html! {
        div class=[class(fact.tone)] {
            dt { (fact.label) }
            dd { (fact.tone.sign()) (fact.value) }
        }
    }
}

fn of_table(table: &Table) -> Markup {
    let side = |place: usize| {
        let align = table.head.get(place).map(|(_, align)| *align);
        (align == Some(Align::Right)).then_some("number")
    };
    let cell = |place: usize, cell: &Cell| {
        html! { td class=[side(place)] { span class=[class(cell.tone)] { (cell.tone.sign()) (cell.text) } } }
    };
    html! {
        div.scroll {
            table {
                thead { tr { @for (place, (name, _)) in table.head.iter().enumerate() {
                    th scope="col" class=[side(place)] { (name) }
                } } }
                tbody { @for row in &table.rows { tr { @for (place, text) in row.iter().enumerate() {
                    (cell(place, text))
                } } } }
            }
        }
    }
}

/// A picture; without anything to show, its caption alone.
fn of_figure(caption: &str, plot: &Plot) -> Markup {
    let svg = plot.svg();
    // The picture is drawn by us, from escaped labels; only its opening tag is given a name and a role.
    let named = match svg.split_once("<svg") {
        Some((_, rest)) => {
            let label = html! { (caption) }.into_string().replace('"', "&quot;");
            format!("<svg role=\"img\" aria-label=\"{label}\"{rest}")
        }
        None => String::new(),
    };
    html! { figure { figcaption { (caption) } (PreEscaped(named)) } }
}
