"""Texts of hostile records and studies: in no output of weft-bench are they more than text."""

import csv
import html.parser
import io
import json
import re
import subprocess
import xml.etree.ElementTree

import pytest
import synthetic
from synthetic import limits_record, machine, record
from weft_bench import batch, builds, cli, compare, quoting, report, run, study
from weft_bench.records import Record

ESCAPES = "\x1b[31m\x1b]0;title\x07\x9b2J\x00\r\x7f\u202e\u2028"
HOSTILE = (f"a<img src=x onerror=alert(1)>|*b* `c` [d](http://e) $f$ &lt;g&gt;{ESCAPES}\n"
           "| h |\n<img src=x onerror=alert(2)>\n# i ' \" \\ $(touch pwned) `touch pwned`\n"
           "touch pwned\n")
FORMULA = "=HYPERLINK(\"http://evil\")"
#: What a terminal acts upon rather than show.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Elements(html.parser.HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attributes]

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile(text: str = HOSTILE, **changes) -> Record:
    """Every text of a record that people read is hostile."""
    stages = [{"direction": text, "name": text, "seconds": 1, "bytes": 1, "moves_data": moves}
              for moves in (True, False)]
    made = record(text, settings={text: text, "exchange": text}, launcher=text, study=text,
                  version=text, device=text, kind=text, grid=text, command=text, commit=text,
                  started=text, stages=stages, reason=text, precision=text,
                  machine=machine(text, cpu=text, kernel=text, mpi=text, id=text,
                                  accelerators=[text]),
                  energy={"joules_per_pair": None, "source": text, "why": text})
    return {**made, "in": text, "out": text, **changes}


def hostile_study(text: str = HOSTILE) -> list[Record]:
    other = hostile(text, library=f"{text}2", settings={text: "other", "exchange": "p2p"})
    slower = {"forward_seconds": synthetic.times([2e-3, 9e-3])}
    return [hostile(text), hostile(text, ranks=4), other, other | slower | {"ranks": 4},
            hostile(text, status="wrong", round=1), hostile(text, status=text, ranks=8),
            limits_record(2) | {"launcher": text, "machine": machine(text), "limits": None,
                                "reason": text}]


def write(path, records: list[Record]):
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def main(monkeypatch, *arguments) -> int:
    monkeypatch.setattr("sys.argv", ["weft-bench", *map(str, arguments)])
    return cli.main()


@pytest.fixture
def written(tmp_path):
    return write(tmp_path / "hostile.jsonl", hostile_study())


def check_terminal(text: str) -> None:
    assert not CONTROLS.search(text)
    for line in text.splitlines():
        assert not line.startswith(("| h |", "<img", "# i", "touch")), line
    assert r"\x1b[31m" in text


@pytest.fixture
def reported(written, monkeypatch, capsys):
    assert main(monkeypatch, "report", written) == 0
    return capsys.readouterr().out, *(written.with_suffix(suffix).read_text("utf-8")
                                      for suffix in (".html", ".md", ".csv"))


def test_report_in_the_terminal(reported):
    check_terminal(reported[0])


def test_report_as_html(reported):
    page = Elements(reported[1])
    assert "img" not in page.tags and "onerror" not in page.attributes
    assert page.tags.count("script") == 2
    assert not CONTROLS.search(re.sub(r"<script.*?</script>", "", reported[1], flags=re.S))
    assert "<img src=x onerror=alert(2)>" in page.text, "it is shown"
    for chart in re.findall(r"<svg.*?</svg>", reported[1], re.S):
        xml.etree.ElementTree.fromstring(chart.replace("xlink:", ""))


def test_report_as_markdown(reported):
    text = reported[2]
    assert not CONTROLS.search(text)
    assert "<" not in text and not re.search(r"&(?!(amp|lt|gt);)", text)
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert not re.search(r"^(?:touch|#? ?i |\| h )", text, re.M)
    assert not re.search(r"(?<!\\)(\\\\)*[`$\[\]]", text)
    head = next(line for line in text.splitlines() if line.startswith("| Transform | Ranks | Lib"))
    columns = len(re.findall(r"(?<!\\)\|", head))
    rows = text.split(head)[1].split("\n\n")[0].strip().splitlines()
    assert len(rows) > 4
    assert all(len(re.findall(r"(?<!\\)\|", row)) == columns for row in rows)


def test_report_as_csv(reported):
    assert not CONTROLS.search(reported[3].replace("\r\n", "\n"))
    rows = list(csv.DictReader(io.StringIO(reported[3])))
    assert len(rows) == len(reported[3].strip().splitlines()) - 1, "one line for each"
    assert rows[0]["library"].startswith("a<img src=x")


def test_no_formula_in_csv(tmp_path):
    path = report.write([hostile(text) for text in (FORMULA, "+1", "-1", "@a")], tmp_path / "x")[2]
    for row in csv.reader(io.StringIO(path.read_text("utf-8"))):
        assert not any(value.startswith(("=", "+", "@", "-")) for value in row)
    assert f"'{FORMULA}".replace('"', '""') in path.read_text("utf-8")


def test_compare(written, tmp_path, monkeypatch, capsys):
    slower = [one | {"forward_seconds": synthetic.times([1.0])} if one["status"] == "ok" else one
              for one in hostile_study() if one["library"] != "machine"]
    assert main(monkeypatch, "compare", written, write(tmp_path / "new.jsonl", slower)) == 1
    check_terminal(capsys.readouterr().out)
    text, _ = compare.compare(hostile_study(), slower[:1])
    check_terminal(text)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_pictures(written, tmp_path, monkeypatch, capsys, suffix):
    gpus = [hostile(ranks=ranks, kind="c2c", precision="f64", device="cuda")
            | {"in": "slab:0", "out": "slab:1"} for ranks in (2, 4)]
    spans = [{"ph": "X", "pid": 0, "tid": 0, "cat": lane, "name": HOSTILE, "ts": 1e3, "dur": 1e3,
              "args": {"step": HOSTILE, "detail": HOSTILE, "direction": "forward", "run": 0,
                       "chunk": HOSTILE}} for lane in ("compute", "wait")]
    times = tmp_path / "times.json"
    times.write_text(json.dumps({"otherData": {"hidden_share": 0.5}, "traceEvents": spans}))
    pictures = {"picture": written, "timeline": times,
                "gpu-scaling": write(tmp_path / "gpus.jsonl", gpus)}
    for command, source in pictures.items():
        target = tmp_path / f"{command}{suffix}"
        assert main(monkeypatch, command, source, target) == 0
        assert not CONTROLS.search(capsys.readouterr().out)
        if suffix == ".svg":
            root = xml.etree.ElementTree.fromstring(target.read_text("utf-8"))
            names = {element.tag.rpartition("}")[2] for element in root.iter()}
            assert "img" not in names
            assert "<img src=x onerror=alert(1)>" in "".join(root.itertext())


def study_file(folder, stem: str, **tables: str):
    path = folder / f"{stem}.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in tables.items()]
    path.write_text("\n".join([*lines, "[[cases]]", "shape = [8, 8, 8]", "ranks = 2"]))
    return path


def test_list(tmp_path, monkeypatch, capsys):
    study_file(tmp_path, "good", title=HOSTILE)
    build = builds.Build(HOSTILE, tmp_path, HOSTILE, "", "custom", {
        HOSTILE: builds.Library(HOSTILE, None, HOSTILE),
        "b": builds.Library(HOSTILE, tmp_path, "", HOSTILE, {HOSTILE: [HOSTILE]})})
    monkeypatch.setattr(cli, "STUDIES", tmp_path)
    monkeypatch.setattr(builds, "load", lambda *_: build)
    assert main(monkeypatch, "list") == 0
    check_terminal(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["a\ntouch pwned", "../escape", "", "..", "a\x1b[31m"])
def test_names_of_studies_that_name_no_file(tmp_path, monkeypatch, capsys, name):
    path = study_file(tmp_path, "s", name=name)
    assert main(monkeypatch, "script", path, "--slurm", "--ranks-per-node", 2) == 2
    error = capsys.readouterr()
    assert error.out == "" and not CONTROLS.search(error.err)
    assert f"name {name!r} cannot name a file" in error.err


def test_a_file_name_with_a_line_end_is_refused(tmp_path, monkeypatch, capsys):
    path = study_file(tmp_path, "a\ntouch pwned\n#")
    assert main(monkeypatch, "script", path, "--slurm", "--ranks-per-node", 2) == 2
    error = capsys.readouterr()
    assert error.out == "" and error.err.count("\n") == 1


@pytest.mark.parametrize("system", list(batch.HEADERS))
def test_job_scripts_run_nothing_but_the_harness(tmp_path, system):
    case = study.parse({"cases": [{"shape": [8]}]}, "x y;$(touch pwned)`touch pwned`")
    folder = tmp_path / "it's $(touch pwned) \\ \n touch pwned \t\x1b"
    script = batch.job_script(case, [str(folder), "--build", "b"], system, 1)
    head, *commands = script.split("\n\n")
    assert re.search(r"weft-[A-Za-z0-9._-]+$", head, re.M)
    assert not re.search("[;$`]", head.replace('"$PBS_O_WORKDIR"', ""))
    assert len(commands) == 1 and not CONTROLS.search(script)
    # What bash makes of the command.
    command = script.splitlines()[-1]
    shown = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], cwd=tmp_path, check=True,
                           capture_output=True, text=True).stdout.split("\0")
    assert str(folder) in shown
    assert not (tmp_path / "pwned").exists()


def test_commands_in_records_are_one_line_of_a_shell():
    words = ["a b", "it's", "\n", "\\", "é", "$(x)"]
    typed = run.as_typed({"X": "1\n2"}, words)
    assert "\n" not in typed
    shown = subprocess.run(["bash", "-c", f"printf '%s\\0' {typed}"], check=True,
                           capture_output=True, text=True).stdout
    assert shown.split("\0")[:-1] == ["X=1\n2", *words]


def test_progress_and_errors(tmp_path, monkeypatch, capsys):
    cli.say(HOSTILE)
    check_terminal(capsys.readouterr().out)
    path = tmp_path / "bad.jsonl"
    path.write_text("\x1b[31m\n")
    for command in (["report"], ["compare", path]):
        assert main(monkeypatch, *command, path) == 2
        assert not CONTROLS.search(capsys.readouterr().err)
    path = study_file(tmp_path, "s", color=HOSTILE)
    assert main(monkeypatch, "run", path) == 2
    assert not CONTROLS.search(capsys.readouterr().err)


def test_texts_that_are_printable_stay_as_they_are():
    for text in ("", "512³ c2c", "10\u202f000\xa0ms", "größer", "weft (exchange=p2p)"):
        assert quoting.printable(text) == text == quoting.terminal(text)
    assert quoting.printable("\udc80") == r"\udc80", "nothing else than UTF-8 is written"
    twice = quoting.printable_values(quoting.printable_values({"a\n": [HOSTILE, 1, None]}))
    assert twice == quoting.printable_values({"a\n": [HOSTILE, 1, None]})


def test_the_harness_says_what_it_prints_by_one_function():
    """No other module writes to the terminal."""
    sources = cli.ROOT.glob("bench/weft_bench/*.py")
    printing = {path.name for path in sources if re.search(r"\bprint\(", path.read_text("utf-8"))}
    assert printing == {"cli.py"}
