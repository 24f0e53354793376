//! A [`Trial`]: a public table published under one requirement, and the errors of that release.

use std::fmt::Write;

use scumble::errors::SearchError;
use scumble::{Error, Evaluate, Options, Policy, Queries, Questions, ReleaseFolder, Unwatched, publish};
use scumble_progress::Work;
use scumble_table::Table;
use scumble_utility::classify::{
    Comparison, Errors, FeatureKind, Learner, Predictor, PredictorRole, Split, classification,
};

use crate::Result;
use crate::public::{Public, PublicColumn, read_table};

/// How columns of words are masked; those of numbers are always discretized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// By their taxonomies.
    Generalize,
    /// Value by value.
    Suppress,
}

/// The objective of the thesis.
pub const THESIS: &str = "information-gain";

/// What to publish, and how.
pub struct Trial<'t> {
    /// The table.
    pub public: &'t Public,
    /// The columns to mask.
    pub quasi: Vec<&'t str>,
    /// The columns that the templates are about.
    pub sensitive: Vec<&'t str>,
    /// The columns published as they are.
    pub others: Vec<&'t str>,
    /// How to mask.
    pub masking: Masking,
    /// The objective of the search, in the words of a policy.
    pub objective: &'t str,
    /// The `[[require]]` sections, and the `[[earlier]]` ones that they speak of.
    pub require: String,
    /// What learns.
    pub learner: Learner,
}

/// What came of a trial.
pub struct Tried {
    /// The errors. If the requirement cannot be met, those of the most masked table, where the search begins.
    pub errors: Errors,
    /// Whether the requirement was met.
    pub met: bool,
}

/// How far the cells of a record were changed (section 6.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distortion {
    /// Of words: the steps up their taxonomies.
    pub categorical: f64,
    /// Of numbers: the shares of the range that they may lie in.
    pub continuous: f64,
}

impl Trial<'_> {
    /// Publishes the table, reads the release back, and measures.
    pub fn run(&self) -> Result<Tried> {
        Ok(match self.release()? {
            Some(release) => Tried {
                errors: self.errors(&release)?,
                met: true,
            },
            None => {
                let errors = self.errors(&self.public.table)?;
                Tried {
                    errors: Errors {
                        released: errors.without_quasi,
                        ..errors
                    },
                    met: false,
                }
            }
        })
    }

    /// How far the masked cells were changed; `None` if the requirement cannot be met.
    pub fn distortion(&self) -> Result<Option<Distortion>> {
        let settings = Evaluate {
            queries: Queries::None,
            learners: Vec::new(),
            ..Evaluate::default()
        };
        self.publish(Some(&settings), |publication| {
            let evaluation = publication.evaluation.ok_or("an evaluation was asked for")?;
            let evaluation = evaluation.of_rows().ok_or("one table was published")?;
            let loss = &evaluation.measures.information_loss;
            Ok(Distortion {
                categorical: loss.categorical_distortion.unwrap_or(0.0),
                continuous: loss.continuous_distortion.unwrap_or(0.0),
            })
        })
    }

    /// The release as it is read; `None` if the requirement cannot be met.
    fn release(&self) -> Result<Option<Table>> {
        self.publish(None, |publication| read_table(&publication.released))
    }

    /// Publishes the table, looks at the release, and removes it; `None` if the requirement cannot be met.
    fn publish<T>(
        &self,
        evaluate: Option<&Evaluate>,
        look: impl FnOnce(ReleaseFolder) -> Result<T>,
    ) -> Result<Option<T>> {
        let folder = self.public.folder.path();
        let out = tempfile::tempdir_in(folder)?;
        let policy = Policy::parse(&self.policy(), "policy.toml", folder).map_err(|error| error.to_string())?;
        let options = Options {
            folder: Some(&out.path().join("release")),
            questions: Questions {
                evaluate: evaluate.cloned(),
                ..Questions::default()
            },
            ..Options::default()
        };
        match publish(&policy, &options, &Unwatched) {
            Ok(publication) => look(publication).map(Some),
            Err(Error::Search(SearchError::CannotBeMet(_))) => Ok(None),
            Err(error) => Err(error.to_string().into()),
        }
    }

    fn policy(&self) -> String {
        let mut text = "[data]\nfile = 'data.csv'\n[release]\norder = 'input'\n[columns]\n".to_owned();
        for column in &self.public.columns {
            let name = &column.name;
            let role = match self.role(name) {
                Some(PredictorRole::Quasi) => "quasi",
                Some(PredictorRole::Sensitive) => "sensitive",
                Some(PredictorRole::Other) => "other",
                None => "identifier",
            };
            let values = match role {
                "quasi" => self.values(column),
                // Public data: what is nearly unique in it names nobody new.
                "other" => ", unique = true".to_owned(),
                _ => String::new(),
            };
            writeln!(text, "{name} = {{ role = '{role}'{values} }}").expect("writing to a string does not fail");
        }
        let method = format!("[method]\nobjective = '{}'\n", self.objective);
        text + "class = { role = 'class' }\n" + &method + &self.require
    }

    /// How a quasi column is masked, in the words of a policy.
    fn values(&self, column: &PublicColumn) -> String {
        let taxonomy = || {
            self.public
                .taxonomy(&column.name)
                .filter(|_| self.masking == Masking::Generalize)
        };
        match column.kind {
            FeatureKind::Number => ", type = 'continuous'".to_owned(),
            FeatureKind::Category => {
                taxonomy().map_or(String::new(), |path| format!(", taxonomy = '{}'", path.display()))
            }
        }
    }

    /// The role of a column; one without takes no part.
    fn role(&self, name: &str) -> Option<PredictorRole> {
        [
            (&self.quasi, PredictorRole::Quasi),
            (&self.sensitive, PredictorRole::Sensitive),
            (&self.others, PredictorRole::Other),
        ]
        .into_iter()
        .find(|(columns, _)| columns.contains(&name))
        .map(|(_, role)| role)
    }

    fn errors(&self, release: &Table) -> Result<Errors> {
        let predictor = |column: &PublicColumn| {
            Some(Predictor {
                name: column.name.clone(),
                role: self.role(&column.name)?,
                kind: column.kind,
            })
        };
        let predictors: Vec<Predictor> = self.public.columns.iter().filter_map(predictor).collect();
        Ok(classification(
            &Comparison {
                data: &self.public.table,
                release,
                class: "class",
                predictors: &predictors,
                split: &Split::Rows(self.public.training),
                learner: self.learner,
            },
            Work::unwatched(),
        )?)
    }
}
