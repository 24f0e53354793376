#!/usr/bin/env python3
"""Prints the errors of Weka's J48 and NaiveBayes that tests/classify_weka.rs holds ours to.

    python3 reference.py ../../../../../shared/data /usr/share/java/weka.jar

Further arguments name releases of Adult to compare too, as `name=released.csv`.
"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex "
    "capital-gain capital-loss hours-per-week native-country class"
).split()
ADULT_NUMBERS = {"age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
CRX_NUMBERS = {"A2", "A3", "A8", "A11", "A14", "A15"}
GERMAN_NUMBERS = {"A2", "A5", "A8", "A11", "A13", "A16", "A18"}
LEARNERS = {"J48": "weka.classifiers.trees.J48", "NaiveBayes": "weka.classifiers.bayes.NaiveBayes"}


def numbered(columns):
    return [f"A{number}" for number in range(1, columns + 1)] + ["class"]


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def in_value_order(values):
    """The order of codes in a table: numbers as numbers, else bytes. Weka breaks ties by it."""
    if all(is_number(value) for value in values):
        return sorted(values, key=lambda value: (float(value), value))
    return sorted(values, key=lambda value: value.encode())


def quoted(value):
    return "?" if value == "?" else "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def write_arff(path, names, numbers, domains, rows):
    with open(path, "w") as out:
        out.write("@relation table\n")
        for name in names:
            values = ",".join(quoted(value) for value in domains[name])
            out.write(f"@attribute '{name}' " + ("numeric\n" if name in numbers else "{" + values + "}\n"))
        out.write("@data\n")
        for row in rows:
            cells = (cell if name in numbers else quoted(cell) for name, cell in zip(names, row))
            out.write(",".join(cells) + "\n")


def wrong_and_tested(weka, learner, training, test):
    command = ["java", "-cp", weka, learner, "-t", training, "-T", test, "-v", "-o"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    right = int(re.search(r"Correctly Classified Instances\s+(\d+)", printed).group(1))
    tested = int(re.search(r"Total Number of Instances\s+(\d+)", printed).group(1))
    return tested - right, tested


def compare(weka, title, names, numbers, rows, training_rows):
    columns = list(zip(*rows))
    domains = {name: in_value_order(set(cells) - {"?"}) for name, cells in zip(names, columns)}
    numbers = {name for name in numbers if name in domains and all(is_number(value) for value in domains[name])}
    with tempfile.TemporaryDirectory() as folder:
        training, test = f"{folder}/training.arff", f"{folder}/test.arff"
        write_arff(training, names, numbers, domains, rows[:training_rows])
        write_arff(test, names, numbers, domains, rows[training_rows:])
        for word, learner in LEARNERS.items():
            wrong, tested = wrong_and_tested(weka, learner, training, test)
            print(f"{title:34} {word:10} {wrong:6} of {tested}  {100 * wrong / tested:.2f} %", flush=True)


def read(path, separator=","):
    lines = (line.strip() for line in open(path))
    rows = [[cell.strip() for cell in line.split(separator)] for line in lines if line and not line.startswith("|")]
    return [row[:-1] + [row[-1].rstrip(".")] for row in rows]


def complete(rows):
    return [row for row in rows if "?" not in row]


def synthetic():
    """The table of `synthetic` in classify_weka.rs: the same generator, the same cells."""
    state = 1

    def draw(below):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % below

    rows = []
    for _ in range(3000):
        age, hours, job, town = 17 + draw(60), draw(100), draw(6), draw(12)
        likely = age > 40 and job < 3 or hours > 70 and town % 3 == 0
        chance = 85 if likely else 15
        insured = "yes" if draw(100) < chance else "no"
        cells = [str(age), str(hours), f"job{job}", f"town{town}"]
        cells = ["?" if draw(20) == 0 else cell for cell in cells]
        rows.append(cells + [insured])
    return rows


def masked(names, rows, in_tens, suppressed):
    """A release by hand: numbers as intervals of ten, and words as `*` but for those that are disclosed."""

    def mask(name, cell):
        if cell == "?":
            return cell
        if name in in_tens:
            low = int(cell) // 10 * 10
            return f"[{low}, {low + 10})"
        return cell if cell in suppressed.get(name, [cell]) else "*"

    return [[mask(name, cell) for name, cell in zip(names, row)] for row in rows]


def main(data, weka, *released):
    names, numbers, rows = ["age", "hours", "job", "town", "insured"], {"age", "hours"}, synthetic()
    compare(weka, "synthetic", names, numbers, rows, 2000)
    rows = masked(names, rows, {"age"}, {"town": ["town0", "town3"]})
    compare(weka, "synthetic, masked", names, numbers, rows, 2000)
    training, test = read(f"{data}/adult/adult.data"), read(f"{data}/adult/adult.test")
    both = complete(training) + complete(test)
    compare(weka, "adult, complete rows", ADULT, ADULT_NUMBERS, both, len(complete(training)))
    rows = masked(ADULT, both, {"age", "hours-per-week"}, {"education": ["Bachelors", "HS-grad"], "relationship": []})
    compare(weka, "adult, masked", ADULT, ADULT_NUMBERS, rows, len(complete(training)))
    compare(weka, "adult, all rows", ADULT, ADULT_NUMBERS, training + test, len(training))
    crx = read(f"{data}/credit/crx.data")
    compare(weka, "crx, complete rows", numbered(15), CRX_NUMBERS, complete(crx), 465)
    compare(weka, "crx, all rows", numbered(15), CRX_NUMBERS, crx, 490)
    german = read(f"{data}/credit/german.data", " ")
    compare(weka, "german", numbered(20), GERMAN_NUMBERS, german, 666)
    for argument in released:
        title, path = argument.split("=")
        names, *rows = csv.reader(open(path))
        compare(weka, title, names, ADULT_NUMBERS, rows, len(complete(training)))


if __name__ == "__main__":
    main(*sys.argv[1:])
