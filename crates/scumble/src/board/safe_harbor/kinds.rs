//! The 18 kinds, and the signs by which each is seen.

use super::shape::{
    Shape, is_date, is_e_mail, is_five_digits, is_ip_address, is_long_postcode, is_ninety_or_more, is_phone_number,
    is_record_number, is_social_security_number, is_url,
};
use crate::inspect::Clues;

/// A kind of identifiers.
pub(super) struct Kind {
    pub(super) letter: char,
    pub(super) kind: &'static str,
    pub(super) signs: &'static [Sign],
}

/// What a column of a kind looks like.
pub(super) struct Sign {
    /// Names that it may have.
    pub(super) name: Clues,
    /// Names that it does not have.
    pub(super) unless: Clues,
    /// Whether the name counts only if the values are so many that they name people.
    pub(super) if_many: bool,
    pub(super) shape: Option<Shape>,
    /// What is enough to suspect it.
    pub(super) suffices: Suffices,
}

/// What is enough to suspect a column.
#[derive(Clone, Copy)]
pub(super) enum Suffices {
    /// Its name, or its values.
    Either,
    /// Its values; a name alone says nothing, because the values may be coarse enough.
    Values,
    /// Nothing less than both.
    Both,
}

/// The last kind, which is seen in columns that `inspect` takes for identifiers and that no other kind claims.
pub(super) const OTHER: (char, &str) = ('R', "any other unique identifying number, characteristic or code");

const NONE: Clues = Clues { words: &[], parts: &[] };

const fn named(words: &'static [&'static str], parts: &'static [&'static str]) -> Sign {
    Sign {
        name: Clues { words, parts },
        unless: NONE,
        if_many: false,
        shape: None,
        suffices: Suffices::Either,
    }
}

impl Sign {
    const fn with(self, shape: Shape, suffices: Suffices) -> Sign {
        Sign {
            shape: Some(shape),
            suffices,
            ..self
        }
    }

    const fn unless(self, words: &'static [&'static str], parts: &'static [&'static str]) -> Sign {
        let unless = Clues { words, parts };
        Sign { unless, ..self }
    }

    const fn if_many(self) -> Sign {
        Sign { if_many: true, ..self }
    }
}

const PHONE: Shape = Shape::new(is_phone_number, "by values like telephone numbers");

/// All kinds but the last.
pub(super) const KINDS: [Kind; 17] = [
    Kind {
        letter: 'A',
        kind: "names",
        signs: &[
            named(
                &["initials"],
                &[
                    "firstname",
                    "forename",
                    "fullname",
                    "givenname",
                    "lastname",
                    "maidenname",
                    "middlename",
                    "nickname",
                    "patientname",
                    "personname",
                    "surname",
                ],
            ),
            named(&["name", "names"], &[]).if_many(),
        ],
    },
    Kind {
        letter: 'B',
        kind: "geographic subdivisions smaller than a state",
        signs: &[
            named(
                &[
                    "city",
                    "county",
                    "district",
                    "lat",
                    "latitude",
                    "lon",
                    "longitude",
                    "parish",
                    "precinct",
                    "street",
                    "town",
                    "tract",
                    "village",
                ],
                &["geocode", "municipal"],
            ),
            named(&["address"], &[]).unless(&["ip", "mac", "mail", "url", "web"], &["email"]),
            named(&["plz", "zip"], &["postal", "postcode", "zipcode"]).with(
                Shape::new(is_long_postcode, "by postcodes of more than three characters"),
                Suffices::Both,
            ),
            named(&[], &[]).with(
                Shape::new(is_five_digits, "by values of five digits, as postcodes have"),
                Suffices::Values,
            ),
        ],
    },
    Kind {
        letter: 'C',
        kind: "elements of dates other than the year, and ages over 89",
        signs: &[
            named(&["date", "day", "dob"], &["admission", "birth", "death", "discharge"]).with(
                Shape::new(is_date, "by values that say the day or the month").leaving_little_doubt(),
                Suffices::Values,
            ),
            named(&["age", "ages"], &[]).with(Shape::new(is_ninety_or_more, "by ages of 90 or more"), Suffices::Both),
        ],
    },
    Kind {
        letter: 'D',
        kind: "telephone numbers",
        signs: &[named(&["mobile", "tel"], &["phone"]).with(PHONE, Suffices::Either)],
    },
    Kind {
        letter: 'E',
        kind: "fax numbers",
        signs: &[named(&["fax"], &[])],
    },
    Kind {
        letter: 'F',
        kind: "e-mail addresses",
        signs: &[named(&["mail"], &["email"]).with(
            Shape::new(is_e_mail, "by values like e-mail addresses").leaving_little_doubt(),
            Suffices::Either,
        )],
    },
    Kind {
        letter: 'G',
        kind: "social security numbers",
        signs: &[named(&["ssn"], &["socialsecurity"]).with(
            Shape::new(is_social_security_number, "by values like social security numbers").leaving_little_doubt(),
            Suffices::Either,
        )],
    },
    Kind {
        letter: 'H',
        kind: "medical record numbers",
        signs: &[
            named(
                &["mrn", "nhs"],
                &[
                    "chartnumber",
                    "hospitalnumber",
                    "medicalrecord",
                    "patientid",
                    "patientno",
                    "patientnumber",
                ],
            ),
            named(&["participant", "patient", "patients", "subject"], &[])
                .unless(&["age", "date", "dob", "year", "zip"], &["birth", "postcode"])
                .with(
                    Shape::new(is_record_number, "by values like record numbers"),
                    Suffices::Both,
                ),
        ],
    },
    Kind {
        letter: 'I',
        kind: "health plan beneficiary numbers",
        signs: &[named(
            &["hicn"],
            &[
                "beneficiary",
                "healthplan",
                "insuranceid",
                "insurancenumber",
                "medicaidid",
                "medicareid",
                "memberid",
                "membernumber",
                "policynumber",
            ],
        )],
    },
    Kind {
        letter: 'J',
        kind: "account numbers",
        signs: &[named(
            &["iban"],
            &[
                "accountid",
                "accountno",
                "accountnumber",
                "bankaccount",
                "cardnumber",
                "creditcard",
            ],
        )],
    },
    Kind {
        letter: 'K',
        kind: "certificate and licence numbers",
        signs: &[
            named(&["certificate", "licence", "license", "npi", "passport"], &[]).unless(&["plate", "plates"], &[])
        ],
    },
    Kind {
        letter: 'L',
        kind: "vehicle identifiers, serial numbers and licence plates",
        signs: &[named(
            &["plate", "plates", "vin"],
            &[
                "licenceplate",
                "licenseplate",
                "numberplate",
                "vehicleid",
                "vehiclenumber",
            ],
        )],
    },
    Kind {
        letter: 'M',
        kind: "device identifiers and serial numbers",
        signs: &[named(
            &["imei", "imsi", "mac", "serial", "udi"],
            &["deviceid", "macaddress", "serialnumber"],
        )],
    },
    Kind {
        letter: 'N',
        kind: "web addresses",
        signs: &[named(&["homepage", "url", "urls", "website"], &[]).with(
            Shape::new(is_url, "by values like web addresses").leaving_little_doubt(),
            Suffices::Either,
        )],
    },
    Kind {
        letter: 'O',
        kind: "internet protocol addresses",
        signs: &[named(&["ip"], &["ipaddress"]).with(
            Shape::new(is_ip_address, "by values like internet protocol addresses").leaving_little_doubt(),
            Suffices::Either,
        )],
    },
    Kind {
        letter: 'P',
        kind: "biometric identifiers",
        signs: &[named(
            &["dna", "retina"],
            &["biometric", "fingerprint", "irisscan", "voiceprint"],
        )],
    },
    Kind {
        letter: 'Q',
        kind: "full-face photographs and comparable images",
        signs: &[named(
            &["image", "images", "photo", "photos", "picture", "selfie"],
            &["photograph", "portrait"],
        )],
    },
];
