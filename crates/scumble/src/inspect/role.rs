//! Suggesting a [`Role`] for each column, with the reason.
//!
//! When in doubt a column is quasi: to mask too much costs detail, to mask too little can cost a person.

use super::groups::Groups;
use super::guess::{FEW, GuessedType};
use super::name::{Clues, Name};
use scumble_policy::Role;

/// What speaks for one role or another.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub name: Name,
    pub guessed: GuessedType,
    pub rows: usize,
    /// How many different values there are that are surely not missing.
    pub distinct: usize,
    pub groups: Groups,
    /// Whether it only counts the rows.
    pub numbers_the_rows: bool,
}

/// A role, and why.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Suggestion {
    pub role: Role,
    pub reason: &'static str,
}

impl Suggestion {
    fn new(role: Role, reason: &'static str) -> Self {
        Suggestion { role, reason }
    }
}

/// These name one person, or reach one.
const PERSON: Clues = Clues {
    words: &[
        "fax", "guid", "iban", "imei", "ip", "mail", "mrn", "nhs", "nin", "ssn", "street", "tel", "url", "uuid", "vin",
    ],
    parts: &[
        "accountnumber",
        "address",
        "cardnumber",
        "email",
        "firstname",
        "forename",
        "fullname",
        "lastname",
        "licenceplate",
        "licenseplate",
        "maidenname",
        "nationalid",
        "passport",
        "phone",
        "socialsecurity",
        "surname",
        "username",
    ],
};

/// These name a person if there are many of them; a few are the names of groups.
const NAMES: Clues = Clues {
    words: &["id", "identifier", "ids", "key", "name", "names"],
    parts: &[],
};

/// These name a person if nearly every row has its own.
const NUMBERS: Clues = Clues {
    words: &["no", "nr", "num", "number", "record"],
    parts: &[],
};

/// What data is made to predict.
const CLASS: Clues = Clues {
    words: &["class", "label", "outcome", "target"],
    parts: &[],
};

/// What people would not like to be known.
const SENSITIVE: Clues = Clues {
    words: &[
        "condition",
        "crime",
        "debt",
        "drug",
        "drugs",
        "health",
        "hiv",
        "icd",
        "mental",
        "pay",
        "union",
        "wage",
        "wages",
    ],
    parts: &[
        "alcohol",
        "convict",
        "criminal",
        "diagnos",
        "disab",
        "diseas",
        "genetic",
        "illness",
        "income",
        "medica",
        "offence",
        "offense",
        "politic",
        "pregnan",
        "prognos",
        "religio",
        "salar",
        "sexual",
        "symptom",
        "therap",
        "treatment",
    ],
};

/// What others often know.
const KNOWN: Clues = Clues {
    words: &[
        "age",
        "area",
        "born",
        "city",
        "county",
        "date",
        "degree",
        "department",
        "district",
        "dob",
        "gender",
        "height",
        "job",
        "lat",
        "latitude",
        "lon",
        "longitude",
        "month",
        "origin",
        "plz",
        "race",
        "region",
        "school",
        "sex",
        "state",
        "town",
        "weight",
        "work",
        "year",
        "zip",
    ],
    parts: &[
        "birth",
        "child",
        "citizen",
        "country",
        "educat",
        "employ",
        "ethnic",
        "famil",
        "household",
        "immigra",
        "language",
        "locat",
        "marital",
        "married",
        "municipal",
        "nation",
        "occupation",
        "postal",
        "postcode",
        "profession",
        "province",
        "relationship",
        "workclass",
        "zipcode",
    ],
};

/// From this share of rows with a value of their own on, a text column names people.
const NEARLY_ALL: f64 = 0.9;

/// A role for each column of a table. One at least is quasi, and one at most the class.
pub(super) fn suggest(columns: &[Facts]) -> Vec<Suggestion> {
    // The class is mostly the last column.
    let class = columns.iter().rposition(Facts::may_be_class);
    let suggest = |(place, facts): (usize, &Facts)| facts.suggest(class == Some(place));
    let mut suggestions: Vec<Suggestion> = columns.iter().enumerate().map(suggest).collect();
    if suggestions.iter().all(|suggestion| suggestion.role != Role::Quasi) {
        make_one_quasi(&mut suggestions);
    }
    suggestions
}

impl Facts {
    fn may_be_class(&self) -> bool {
        self.name.fits(&CLASS) && (2..=FEW).contains(&self.distinct)
    }

    fn suggest(&self, is_class: bool) -> Suggestion {
        let nearly_all_alone = self.groups.unique_share >= NEARLY_ALL;
        let text = self.guessed == GuessedType::Categorical;
        if self.name.fits(&PERSON) {
            Suggestion::new(Role::Identifier, "by its name it leads to one person")
        } else if self.name.fits(&NAMES) && self.is_many() {
            Suggestion::new(Role::Identifier, "by its name it names people, and it has many values")
        } else if self.name.fits(&NUMBERS) && nearly_all_alone && self.distinct > FEW {
            Suggestion::new(
                Role::Identifier,
                "by its name a number, and nearly every row has its own",
            )
        } else if is_class {
            Suggestion::new(Role::Class, "by its name it is what the data is to predict")
        } else if self.name.fits(&SENSITIVE) {
            Suggestion::new(Role::Sensitive, "by its name it is what people keep to themselves")
        } else if self.name.fits(&KNOWN) {
            Suggestion::new(Role::Quasi, "by its name it is what others often know")
        } else if self.numbers_the_rows {
            Suggestion::new(Role::Identifier, "it numbers the rows")
        } else if text && nearly_all_alone && self.distinct > FEW {
            Suggestion::new(Role::Identifier, "it is text, and nearly every row has its own")
        } else if self.groups.count == 1 {
            Suggestion::new(Role::Other, "it is the same in every row")
        } else if self.groups.unique_rows > 0 {
            Suggestion::new(Role::Quasi, "some rows are alone with their value")
        } else {
            Suggestion::new(Role::Quasi, "with other columns it may single people out")
        }
    }

    /// Why the column would be an identifier, if it would.
    pub(super) fn names_people(&self) -> Option<&'static str> {
        let Suggestion { role, reason } = self.suggest(false);
        (role == Role::Identifier).then_some(reason)
    }

    fn is_many(&self) -> bool {
        self.distinct > FEW || self.distinct * 2 > self.rows
    }
}

/// A policy must mask something. The column that would otherwise be published as it is comes first.
fn make_one_quasi(suggestions: &mut [Suggestion]) {
    let order = [Role::Other, Role::Class, Role::Sensitive, Role::Identifier];
    let place = order
        .iter()
        .find_map(|role| suggestions.iter().position(|suggestion| suggestion.role == *role));
    if let Some(place) = place {
        suggestions[place] = Suggestion::new(Role::Quasi, "a policy needs a quasi column, and none looks like one");
    }
}
