//! What the name of a column says: its words, compared with [`Clues`].

/// The name of a column, taken apart.
///
/// `firstName`, `first_name` and `First Name` are the words `first` and `name`, and joined `firstname`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    words: Vec<String>,
    joined: String,
}

/// Words that say what a column is.
pub(crate) struct Clues {
    /// Words that count only on their own: `age` is not in `usage`.
    pub words: &'static [&'static str],
    /// Parts that count anywhere in the joined name: `birth` is in `birthplace`.
    pub parts: &'static [&'static str],
}

impl Name {
    pub(crate) fn new(name: &str) -> Self {
        let mut words = vec![String::new()];
        let mut previous = ' ';
        for c in name.chars() {
            let begins = c.is_uppercase() && previous.is_lowercase();
            if begins || !c.is_alphabetic() {
                words.push(String::new());
            }
            if let (true, Some(word)) = (c.is_alphabetic(), words.last_mut()) {
                word.extend(c.to_lowercase());
            }
            previous = c;
        }
        words.retain(|word| !word.is_empty());
        let joined = words.concat();
        Name { words, joined }
    }

    /// Whether a clue is in the name.
    pub(crate) fn fits(&self, clues: &Clues) -> bool {
        let is_word = |clue: &&str| self.words.iter().any(|word| word == clue);
        let is_part = |clue: &&str| self.joined.contains(clue);
        clues.words.iter().any(is_word) || clues.parts.iter().any(is_part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_its_words_however_they_are_put_together() {
        for name in ["firstName", "first_name", "First Name", "FIRST-NAME", "first.name2"] {
            let name = Name::new(name);
            assert_eq!(name.words, ["first", "name"]);
            assert_eq!(name.joined, "firstname");
        }
        assert!(Name::new("42").words.is_empty());
    }

    #[test]
    fn a_word_counts_on_its_own_and_a_part_anywhere() {
        let clues = Clues {
            words: &["age"],
            parts: &["birth"],
        };
        assert!(Name::new("AGE in years").fits(&clues));
        assert!(Name::new("patientAge").fits(&clues));
        assert!(!Name::new("usage").fits(&clues));
        assert!(Name::new("dateofbirth").fits(&clues));
    }
}
