//! Public databases, where they are at hand beside the project: the bank of Berka and the music shop of Chinook.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;

use super::university::json_of;
use crate::desk::Desk;

/// A folder of CSV files; `None`, told, where it is not here.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data/relational")
        .join(name);
    if !folder.exists() {
        eprintln!("the {name} data is not here; nothing to do");
    }
    folder.exists().then_some(folder)
}

/// Publishes a policy at k = 5, audits the files, and attacks them. Returns the certificate.
fn published(desk: &Desk, policy: &str) -> Value {
    desk.put("policy.toml", policy.as_bytes());
    let published = json_of(&desk.must(&["publish", "policy.toml", "--json"]));
    let certificate = published["certificate"].clone();
    let audit = json_of(&desk.must(&["audit", "out", "policy.toml", "--json"]));
    assert_eq!(audit["holds"], true, "{audit}");
    assert_eq!(audit["compared_with_data"], true, "{audit}");
    assert!(certificate["require"][0]["level"].as_u64() >= Some(5), "{certificate}");
    let attack = json_of(&desk.must(&["attack", "out", "--policy", "policy.toml", "--json"]));
    for known in attack["known"].as_array().unwrap() {
        assert!(known["worst"].as_u64().is_none_or(|worst| worst >= 5), "{known}");
    }
    // Our own method is what a policy gets that names none, because it loses less.
    assert_eq!(certificate["method"]["name"], "entities");
    let paper = format!("{policy}\n[method]\nname = 'miraclex'\n[release]\nfolder = 'of-the-paper'\n");
    desk.put("of-the-paper.toml", paper.as_bytes());
    let of_the_paper = json_of(&desk.must(&["publish", "of-the-paper.toml", "--json"]));
    desk.must(&["audit", "of-the-paper", "of-the-paper.toml"]);
    let loss = |certificate: &Value| certificate["information_loss"].as_f64().unwrap();
    assert!(
        loss(&certificate) < loss(&of_the_paper["certificate"]),
        "{of_the_paper}"
    );
    certificate
}

/// Every CSV file of a folder as a table of one SQLite file; `keys` are its constraints.
fn into_sqlite(folder: &Path, tables: &[(&str, &str)], file: PathBuf) {
    let connection = Connection::open(file).unwrap();
    for (table, columns) in tables {
        connection
            .execute_batch(&format!("CREATE TABLE \"{table}\" ({columns})"))
            .unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{table}.csv"))).unwrap();
        let width = text.lines().next().unwrap().split(',').count();
        let places = vec!["?"; width].join(", ");
        let mut insert = connection
            .prepare(&format!("INSERT INTO \"{table}\" VALUES ({places})"))
            .unwrap();
        connection.execute_batch("BEGIN").unwrap();
        for line in text.lines().skip(1) {
            insert.execute(rusqlite::params_from_iter(line.split(','))).unwrap();
        }
        connection.execute_batch("COMMIT").unwrap();
    }
}

/// Clients with their dispositions, cards, and as owners with accounts, loans and orders; districts are a look-up.
#[test]
fn berka() {
    let Some(folder) = shared("berka") else { return };
    let desk = Desk::with(&[]);
    let tables = [
        (
            "district",
            "district_id INTEGER PRIMARY KEY, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16",
        ),
        (
            "client_decoded",
            "client_id INTEGER PRIMARY KEY, birth_date, sex, district_id REFERENCES district",
        ),
        (
            "account",
            "account_id INTEGER PRIMARY KEY, district_id, frequency, date",
        ),
        (
            "disp",
            "disp_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client_decoded, account_id INTEGER, type",
        ),
        (
            "card",
            "card_id INTEGER PRIMARY KEY, disp_id INTEGER REFERENCES disp, type, issued",
        ),
        (
            "loan",
            "loan_id INTEGER PRIMARY KEY, account_id INTEGER, date, amount, duration, payments, status",
        ),
        (
            "order",
            "order_id INTEGER PRIMARY KEY, account_id INTEGER, bank_to, account_to, amount, k_symbol",
        ),
    ];
    into_sqlite(&folder, &tables, desk.path().join("berka.sqlite"));
    let certificate = published(
        &desk,
        "[data]
        file = 'berka.sqlite'
        [person]
        name = 'client'
        query = 'SELECT client_id, CAST(substr(birth_date, 1, 4) AS INTEGER) AS born, sex, district_id FROM client_decoded'
        key = 'client_id'
        refers = { district_id = 'district' }
        [[tables]]
        name = 'disp'
        foreign_key = 'client_id'
        [[tables]]
        name = 'card'
        [[tables]]
        name = 'account'
        query = \"SELECT account.*, disp_id FROM account JOIN disp USING (account_id) WHERE disp.type = 'OWNER'\"
        key = 'account_id'
        parent = 'disp'
        foreign_key = 'disp_id'
        [[tables]]
        name = 'loan'
        parent = 'account'
        foreign_key = 'account_id'
        [[tables]]
        name = 'orders'
        table = 'order'
        parent = 'account'
        foreign_key = 'account_id'
        [[lookups]]
        name = 'district'
        [columns]
        client.born = { role = 'quasi', type = 'continuous', range = [1900, 2000] }
        client.sex = { role = 'quasi' }
        client.district_id = { role = 'quasi' }
        disp.account_id = { role = 'identifier' }
        disp.type = { role = 'quasi' }
        card.type = { role = 'quasi' }
        card.issued = { role = 'identifier' }
        account.district_id = { role = 'identifier' }
        account.frequency = { role = 'quasi' }
        account.date = { role = 'identifier' }
        loan.date = { role = 'identifier' }
        loan.amount = { role = 'quasi', type = 'continuous', range = [0, 600000] }
        loan.duration = { role = 'quasi', type = 'continuous', range = [0, 60] }
        loan.payments = { role = 'identifier' }
        loan.status = { role = 'sensitive' }
        orders.bank_to = { role = 'other' }
        orders.account_to = { role = 'identifier' }
        orders.amount = { role = 'quasi', type = 'continuous', range = [0, 15000] }
        orders.k_symbol = { role = 'quasi' }
        [[require]]
        anonymity = 5",
    );
    assert_eq!(
        certificate["persons"]["published"].as_u64().unwrap() + certificate["persons"]["left_out"].as_u64().unwrap(),
        5369
    );
    let kept = |table: usize| certificate["tables"][table]["rows"]["published"].as_u64().unwrap();
    assert!(kept(1) > 5000 && kept(3) > 4000, "{certificate}");
}

/// Customers with invoices and their lines; tracks, albums, artists, genres and media types are look-ups.
#[test]
fn chinook() {
    let Some(folder) = shared("chinook") else { return };
    let desk = Desk::with(&[]);
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), desk.path().join(file.file_name())).unwrap();
    }
    let identifiers = [
        (
            "Customer",
            &[
                "FirstName",
                "LastName",
                "Company",
                "Address",
                "City",
                "State",
                "PostalCode",
                "Phone",
                "Fax",
                "Email",
                "SupportRepId",
            ][..],
        ),
        (
            "Invoice",
            &[
                "InvoiceDate",
                "BillingAddress",
                "BillingCity",
                "BillingState",
                "BillingCountry",
                "BillingPostalCode",
            ],
        ),
    ];
    let identifiers = identifiers.iter().flat_map(|(table, columns)| {
        columns
            .iter()
            .map(move |column| format!("{table}.{column} = {{ role = 'identifier' }}\n"))
    });
    let identifiers: String = identifiers.collect();
    let certificate = published(
        &desk,
        &format!(
            "[person]
            file = 'Customer.csv'
            key = 'CustomerId'
            [[tables]]
            name = 'Invoice'
            key = 'InvoiceId'
            foreign_key = 'CustomerId'
            [[tables]]
            name = 'InvoiceLine'
            key = 'InvoiceLineId'
            parent = 'Invoice'
            foreign_key = 'InvoiceId'
            refers = {{ TrackId = 'Track' }}
            [[lookups]]
            name = 'Track'
            key = 'TrackId'
            refers = {{ AlbumId = 'Album', MediaTypeId = 'MediaType', GenreId = 'Genre' }}
            [[lookups]]
            name = 'Album'
            key = 'AlbumId'
            refers = {{ ArtistId = 'Artist' }}
            [[lookups]]
            name = 'Artist'
            key = 'ArtistId'
            [[lookups]]
            name = 'Genre'
            key = 'GenreId'
            [[lookups]]
            name = 'MediaType'
            key = 'MediaTypeId'
            [columns]
            {identifiers}
            Customer.Country = {{ role = 'quasi' }}
            Invoice.Total = {{ role = 'quasi', type = 'continuous', range = [0, 30] }}
            InvoiceLine.TrackId = {{ role = 'sensitive' }}
            InvoiceLine.UnitPrice = {{ role = 'quasi' }}
            InvoiceLine.Quantity = {{ role = 'quasi' }}
            [[require]]
            anonymity = 5
            [[require]]
            diversity = 3
            about = 'InvoiceLine.TrackId'"
        ),
    );
    assert_eq!(
        certificate["persons"]["published"].as_u64().unwrap() + certificate["persons"]["left_out"].as_u64().unwrap(),
        59
    );
    assert_eq!(desk.read("out/Track.csv").lines().count(), 3504);
}
