//! The two forms in which a [`Certificate`] is written: of one table, and of several.
//!
//! | | of one table | of several |
//! |---|---|---|
//! | counted | `rows` | `persons` |
//! | columns | `columns`, with masks | `tables`, with what became of cells |
//! | only here | `earlier`, `secrets`, `loss_per_group`, `risks` | `classes`, `lookups`, `discernibility` |
//!
//! Invariant: what is written in a form is read back from it, to the byte.

use scumble_attack::{Risks, SingledOut};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::certificate::{
    BoundedLoss, Certificate, CertifiedColumn, CertifiedEarlier, CertifiedReading, CertifiedTemplate, MethodSettings,
    SecretsFile,
};
use crate::counted::Counted;
use crate::tables::{CertifiedLookup, CertifiedTable, CertifiedTables};

/// A certificate as it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Form {
    Table(Box<TableForm>),
    Tables(Box<TablesForm>),
}

/// The file of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableForm {
    version: u32,
    method: MethodSettings,
    rows: Counted,
    require: Vec<CertifiedTemplate>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    earlier: Vec<CertifiedEarlier>,
    columns: Vec<CertifiedColumn>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reading: Option<CertifiedReading>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    secrets: Option<SecretsFile>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    formulas: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    loss_per_group: Option<BoundedLoss>,
    information_loss: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    risks: Option<Risks>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    singled_out: Option<SingledOut>,
}

/// The file of several tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TablesForm {
    version: u32,
    method: MethodSettings,
    persons: Counted,
    classes: u64,
    require: Vec<CertifiedTemplate>,
    tables: Vec<CertifiedTable>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    lookups: Vec<CertifiedLookup>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    formulas: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reading: Option<CertifiedReading>,
    information_loss: f64,
    discernibility: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    singled_out: Option<SingledOut>,
}

impl From<Certificate> for Form {
    fn from(certificate: Certificate) -> Form {
        let Certificate {
            version,
            method,
            rows,
            require,
            earlier,
            columns,
            several,
            reading,
            secrets,
            formulas,
            loss_per_group,
            information_loss,
            risks,
            singled_out,
        } = certificate;
        match several {
            None => Form::Table(Box::new(TableForm {
                version,
                method,
                rows,
                require,
                earlier,
                columns,
                reading,
                secrets,
                formulas,
                loss_per_group,
                information_loss,
                risks,
                singled_out,
            })),
            Some(several) => Form::Tables(Box::new(TablesForm {
                version,
                method,
                persons: rows,
                classes: several.classes,
                require,
                tables: several.tables,
                lookups: several.lookups,
                formulas,
                reading,
                information_loss,
                discernibility: several.discernibility,
                singled_out,
            })),
        }
    }
}

impl From<TableForm> for Certificate {
    fn from(form: TableForm) -> Certificate {
        Certificate {
            version: form.version,
            method: form.method,
            rows: form.rows,
            require: form.require,
            earlier: form.earlier,
            columns: form.columns,
            several: None,
            reading: form.reading,
            secrets: form.secrets,
            formulas: form.formulas,
            loss_per_group: form.loss_per_group,
            information_loss: form.information_loss,
            risks: form.risks,
            singled_out: form.singled_out,
        }
    }
}

impl From<TablesForm> for Certificate {
    fn from(form: TablesForm) -> Certificate {
        Certificate {
            version: form.version,
            method: form.method,
            rows: form.persons,
            require: form.require,
            earlier: Vec::new(),
            columns: Vec::new(),
            several: Some(CertifiedTables {
                classes: form.classes,
                tables: form.tables,
                lookups: form.lookups,
                discernibility: form.discernibility,
            }),
            reading: form.reading,
            secrets: None,
            formulas: form.formulas,
            loss_per_group: None,
            information_loss: form.information_loss,
            risks: None,
            singled_out: form.singled_out,
        }
    }
}

impl Serialize for Certificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form::from(self.clone()).serialize(serializer)
    }
}

/// By what is in it: only several tables have `tables`.
impl<'de> Deserialize<'de> for Certificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Certificate, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = if value.get("tables").is_some() {
            TablesForm::deserialize(value).map(Certificate::from)
        } else {
            TableForm::deserialize(value).map(Certificate::from)
        };
        read.map_err(D::Error::custom)
    }
}
