"""The commands with their arguments and help texts."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn, cast

from groundwire.cli.learning_arguments import add_learning, count, later
from groundwire.cli.registry import AGENTS, HOSTS, SERVERS

# The words of argparse, which writes the choices with quotes or without.
_INVALID_CHOICE = re.compile(r"invalid choice: '([^'\n]{0,200})' \(choose from ([^()\n]{0,2000})\)")
_UNKNOWN_FLAG = re.compile(r"\Aunrecognized arguments: (--[^\s=]{1,100})")
_NEAR = 65


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    whole = Parser(
        prog="groundwire",
        description="MCP servers that keep a model honest: they correct what it sends, answer "
        "only from facts, and prove every answer.",
        epilog="Start with `groundwire demo`; then `groundwire config HOST` prints what to paste "
        "into your host.",
    )
    whole.add_argument("--version", action=_Version, help="print the version and exit")
    # Its parsers are of the class of the whole, which the annotations of argparse do not show.
    commands: argparse._SubParsersAction[argparse.ArgumentParser] = (  # pyright: ignore[reportPrivateUsage]
        cast("Any", whole.add_subparsers(title="commands", metavar="COMMAND", required=True))
    )
    _serve(commands)
    _demo(commands)
    _doctor(commands)
    _config(commands)
    _tools(commands)
    _ask(commands)
    _agents(commands)
    _evidence(commands)
    _ontology(commands)
    _metrics(commands)
    add_learning(commands)
    _journeys(commands)
    _completion(commands)
    return whole


class Parser(argparse.ArgumentParser):
    """A parser that names what a misspelt command or choice is near to.

    Parsers of its commands are of the same class.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] - passed on as it comes
        """Refuse what is not known here, where the flags of the command are."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Print usage and error, with the nearest choice or flag, and exit with 2."""
        word, choices = "", list[str]()
        if found := _INVALID_CHOICE.search(message):
            word = found[1]
            choices = re.findall(r"'([^']+)'", found[2]) or found[2].split(", ")
        elif found := _UNKNOWN_FLAG.search(message):
            word, choices = found[1], re.findall(r"--[a-z-]+", self.format_usage())
        if choices:
            from rapidfuzz import fuzz, process, utils

            near = process.extractOne(
                word,
                choices,
                scorer=fuzz.ratio,
                processor=utils.default_process,
                score_cutoff=_NEAR,
            )
            if near:
                message += f"; did you mean {near[0]}?"
        super().error(message)


class _Version(argparse.Action):
    """Prints the version; reading it is left until it is asked for."""

    def __init__(self, option_strings: list[str], dest: str, **rest: object) -> None:
        super().__init__(option_strings, dest, nargs=0, help=str(rest.get("help", "")))

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"groundwire {version('groundwire')}\n")
        parser.exit()


def _serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "serve",
        help="serve tools to an MCP host",
        description="Serve over stdio (hosts start the server themselves) or over HTTP at /mcp.",
    )
    command.add_argument("server", choices=SERVERS, help="which server")
    _serving(command)


def script_parser(server: str) -> argparse.ArgumentParser:
    """The parser of the console script that serves one server."""
    command = argparse.ArgumentParser(
        prog=f"groundwire-{server}",
        description=f"Serve {server} over stdio (hosts start it themselves) or over HTTP at /mcp.",
        epilog=f"`groundwire config HOST --server {server}` prints what to paste into a host.",
    )
    _serving(command)
    command.set_defaults(server=server)
    return command


def _serving(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--transport", choices=("stdio", "http"), default="stdio", help="default: stdio"
    )
    command.add_argument(
        "--host", help="address for http (default: 127.0.0.1); any but loopback needs a token"
    )
    command.add_argument(
        "--port", type=_port, help="port for http (default: 8000); 0 takes a free one"
    )
    command.add_argument(
        "--audience",
        metavar="URL",
        help="what signed tokens must have been issued for (default: the address)",
    )
    command.add_argument("--toolsets", help="comma-separated toolsets to offer")
    command.add_argument("--tools", help="comma-separated tools to offer")
    command.add_argument(
        "--stateless",
        action="store_true",
        help="keep no session for clients of 2025-11-25 and before (HTTP)",
    )
    command.add_argument(
        "--ui",
        action="store_true",
        help="show answers, runs of agents and maps in a browser, at /ui (HTTP)",
    )
    command.add_argument(
        "--read-only", action="store_true", help="hide tools that change state or write files"
    )
    command.set_defaults(run=later("serve", "serve"))


def _demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "demo",
        help="drive the servers as a host would, and print the exchange",
        description="Starts a server over stdio with the embedded data, sends it what models "
        "send, mistakes included, and prints four exchanges. Needs no key and no network.",
    )
    command.add_argument("server", nargs="?", choices=SERVERS, help="which (default: all)")
    command.add_argument(
        "--full", action="store_true", help="every exchange, of every server where none is named"
    )
    command.set_defaults(run=later("demo", "demo"))


def _doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "doctor",
        help="check installation, data and endpoints, and say how to mend each",
        description="Checks what the servers need, one line each, with the way out. Exit code 1 "
        "if a check failed.",
    )
    command.set_defaults(run=later("doctor", "doctor"))


def _config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "config",
        help="print the block to paste into a host",
        description="Prints the block to paste into a host's configuration, with absolute paths. "
        "GROUNDWIRE variables that are set now are carried over; secrets are not.",
    )
    command.add_argument("host", choices=HOSTS)
    command.add_argument("--server", choices=SERVERS, default=SERVERS[0])
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--uvx", action="store_true", help="start the published package by uvx, from no folder"
    )
    where.add_argument("--url", metavar="URL", help="a server that runs elsewhere, by its URL")
    command.add_argument(
        "--link", action="store_true", help="print a link that the host opens, in place of a block"
    )
    command.set_defaults(run=later("hosts", "config"))


def _completion(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "completion",
        help="print the script that completes commands by the tab key",
        description='Bash: eval "$(groundwire completion bash)" in ~/.bashrc; zsh: the same with '
        "zsh in ~/.zshrc, after compinit; tcsh: eval `groundwire completion tcsh` in ~/.tcshrc.",
    )
    command.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    command.set_defaults(run=later("tools", "completion"))


def _tools(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "tools",
        help="print the tables of tools",
        description="Prints the tools of every server as Markdown tables.",
    )
    command.add_argument("server", nargs="?", choices=SERVERS)
    command.set_defaults(run=later("tools", "tools"))


def _ask(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    command = commands.add_parser(
        "ask",
        help="ask an agent",
        description="Prints the answer of an agent with its sources, assumptions, evidence and run "
        "id. By AI_PROVIDER=rules, the default, it needs no key and no network. Exit code 0 for an "
        "honest answer, that nothing is held too; 2 if the question cannot be used, 4 if model, "
        "tools or time failed, 5 if a limit was passed.",
    )
    command.add_argument("agent", choices=AGENTS, metavar="AGENT", help=", ".join(AGENTS))
    command.add_argument("question")
    command.add_argument("--json", action="store_true", help="print the whole output as JSON")
    command.add_argument("--trace", action="store_true", help="print the steps too")
    command.add_argument("--reference-date", help="the day that counts as today, as 2026-11-21")
    command.add_argument("--continue-run", metavar="RUN_ID", help="go on from an earlier answer")
    command.add_argument(
        "--variable",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="something to tell beside the question, as journey_id=...; may be repeated",
    )
    command.add_argument("--max-cost", type=float, metavar="USD", help="most dollars")
    command.add_argument("--max-seconds", type=float, metavar="S", help="most seconds")
    command.set_defaults(run=later("ask", "ask"))


def _agents(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = commands.add_parser(
        "agents",
        help="show what the agents took",
        description="The kept runs of the agents, in $GROUNDWIRE_HOME/runs.sqlite.",
    )
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    metrics = parts.add_parser(
        "metrics", help="print runs, errors, steps, tokens, cost and time of each agent"
    )
    metrics.add_argument(
        "--owner", default="local", help="whose (default: local; over HTTP the token's subject)"
    )
    metrics.add_argument("--json", action="store_true", help="print all of it as JSON")
    metrics.set_defaults(run=later("agents", "metrics"))


def _evidence(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = commands.add_parser(
        "evidence",
        help="show and verify what was answered",
        description="The ledger of every answer, in $GROUNDWIRE_HOME/evidence.sqlite.",
    )
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    show = parts.add_parser("show", help="print one record")
    show.add_argument("evidence_id", help="the id that an answer came with")
    show.add_argument("seal", nargs="?", help="the evidence_seal beside it, to hold against it")
    show.set_defaults(run=later("evidence", "show"))
    opened = parts.add_parser(
        "open",
        help="write records as one HTML page, and show it",
        description="Claim, status, value, source, query and hashes of one or more answers on a "
        "page that needs nothing but itself; the chain of the ledger is checked for it. With "
        "--draft a text is checked against these records first. The page is written to a "
        "temporary file and shown in the browser; with --output it is only written.",
    )
    opened.add_argument(
        "evidence_ids", nargs="+", metavar="EVIDENCE_ID", help="the id that an answer came with"
    )
    opened.add_argument("--draft", metavar="FILE", help="text to check; - reads standard input")
    opened.add_argument("-o", "--output", metavar="FILE", help="file to write")
    opened.set_defaults(run=later("evidence", "open_page"))
    export = parts.add_parser(
        "export",
        help="write records into one signed file, which anyone can check",
        description="The bundle holds records, their links and responses, signed by the Ed25519 "
        "key evidence_key.pem of GROUNDWIRE_HOME, which the first export makes. `groundwire "
        "evidence verify BUNDLE` checks it without the ledger; tell its reader the fingerprint of "
        "your key by another way.",
    )
    export.add_argument(
        "evidence_ids", nargs="*", metavar="EVIDENCE_ID", help="which records (default: all)"
    )
    export.add_argument("--owner", default="", help="only the records of one owner")
    export.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="evidence.bundle",
        help="file to write (default: evidence.bundle)",
    )
    export.set_defaults(run=later("evidence", "export"))
    verify = parts.add_parser(
        "verify",
        help="check the chain, or a bundle; exit code 1 if a record was changed or removed",
    )
    verify.add_argument(
        "--key",
        default="",
        metavar="FINGERPRINT",
        help="what the fingerprint of a bundle's key must begin with",
    )
    verify.add_argument(
        "kept",
        nargs="*",
        metavar="KEPT",
        help="bundles; or what was kept elsewhere: a line that `evidence head` printed, "
        "ev_...:SEAL, or a file of such lines or of answers",
    )
    verify.set_defaults(run=later("evidence", "verify"))
    head = parts.add_parser(
        "head", help="print the count of records and the last one's hash, to keep elsewhere"
    )
    head.set_defaults(run=later("evidence", "head"))


def _ontology(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = commands.add_parser(
        "ontology",
        help="look after shapes and assets",
        description="Reads GROUNDWIRE_SHAPES and GROUNDWIRE_ASSETS; without them, the embedded "
        "catalogue.",
    )
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    lint = parts.add_parser(
        "lint",
        help="report what differs between shapes and assets",
        description="Reports values stored but not declared, declared but never stored, "
        "properties that no shape reaches, names that stand for several properties, and what "
        "could not be read. Exit code 1 with --strict if anything was found.",
    )
    lint.add_argument("--json", action="store_true", help="print JSON")
    lint.add_argument("--strict", action="store_true", help="exit 1 if anything was found")
    lint.add_argument("--most", type=count, default=20, help="findings shown of each kind")
    lint.set_defaults(run=later("ontology", "lint"))
    index = parts.add_parser(
        "index", help="read shapes and assets now, so that the first search does not wait"
    )
    index.set_defaults(run=later("ontology", "index"))
    infer = parts.add_parser("infer", help="draft shapes for data that has none")
    infer.add_argument("data", nargs="+", help="RDF files or folders")
    infer.add_argument("-o", "--output", help="file to write (default: standard output)")
    infer.set_defaults(run=later("ontology", "infer"))


def _journeys(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = commands.add_parser(
        "journeys",
        help="import timetables of other cities, and list them",
        description="Timetables are GTFS feeds (zip) or TransXChange (an XML file, or a zip of "
        "them), kept in $GROUNDWIRE_HOME/feeds. Set "
        "GROUNDWIRE_JOURNEYS to the name of one to plan journeys over it.",
    )
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    take = parts.add_parser("import", help="import a feed, in place of the one of that name")
    take.add_argument("feed", metavar="FEED")
    take.add_argument("--name", required=True, help="as berlin: small letters, digits, - and _")
    take.set_defaults(run=later("journeys", "import_"))
    held = parts.add_parser("feeds", help="list the imported feeds: validity and size")
    held.add_argument("--json", action="store_true", help="print JSON")
    held.set_defaults(run=later("journeys", "feeds"))
    check = parts.add_parser(
        "check", help="say what is wrong with a feed, without importing; exit code 1 if anything is"
    )
    check.add_argument("feed", metavar="FEED")
    check.set_defaults(run=later("journeys", "check"))


def _metrics(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = commands.add_parser(
        "metrics",
        help="look after facts and their profile, and ask them",
        description="Reads GROUNDWIRE_PROFILE and GROUNDWIRE_FACTS; without them, the embedded "
        "profile and its facts.",
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--profile", help="profile (default: GROUNDWIRE_PROFILE)")
    common.add_argument("--facts", help="fact store (default: GROUNDWIRE_FACTS)")
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    init = parts.add_parser("init", help="draft a profile and a mapping for a file of facts")
    init.add_argument(
        "data", help="CSV, XLSX, Parquet, SEC company-facts JSON, or a DOCX, HTML or PDF table"
    )
    init.add_argument("--encoding", default="", help="of a CSV, as cp1252 (default: found)")
    init.add_argument("--sheet", default="", help="of a workbook (default: the fullest)")
    init.add_argument(
        "--header", type=int, default=0, metavar="ROW", help="row of the headings (default: found)"
    )
    init.add_argument("-o", "--output", help="folder to write (default: named after the file)")
    init.add_argument("--force", action="store_true", help="overwrite what is there")
    init.set_defaults(run=later("metrics", "init"))
    take = parts.add_parser(
        "import",
        parents=[common],
        help="take in facts or documents",
        description="Facts (CSV, XLSX, Parquet, SEC company-facts JSON) go in by a mapping, all or "
        "nothing; documents (text, Markdown, HTML, DOCX, PDF) with their sensitivity. With "
        "a mapping the tables of HTML, DOCX and PDF are facts.",
    )
    take.add_argument("files", nargs="+", metavar="FILE")
    take.add_argument("--mapping", help="what the columns are (TOML); for facts")
    take.add_argument("--skip-bad", action="store_true", help="keep the rows that can be used")
    take.add_argument("--title", help="name of a document in answers")
    take.add_argument("--entity", help="what a document is about")
    take.add_argument("--period", help="when a document is about, as FY2024")
    take.add_argument("--sensitivity", help="level of a document (default: the profile's)")
    take.set_defaults(run=later("metrics", "import_"))
    held = parts.add_parser(
        "documents", parents=[common], help="list what is held: facts and passages by document"
    )
    held.add_argument("--json", action="store_true", help="print JSON")
    held.set_defaults(run=later("metrics", "documents"))
    forget = parts.add_parser(
        "forget",
        parents=[common],
        help="remove an imported document with its facts and passages",
        description="What comes with the profile goes when its entry in the profile does.",
    )
    forget.add_argument("name", metavar="NAME", help="as `groundwire metrics documents` lists it")
    forget.set_defaults(run=later("metrics", "forget"))
    lint = parts.add_parser(
        "lint",
        parents=[common],
        help="report names that collide, and what has no facts",
        description="Exit code 1 with --strict if there are errors.",
    )
    lint.add_argument("--json", action="store_true", help="print JSON")
    lint.add_argument("--strict", action="store_true", help="exit 1 if there are errors")
    lint.add_argument("--most", type=count, default=20, help="findings shown of each kind")
    lint.set_defaults(run=later("metrics", "lint"))
    ask = parts.add_parser(
        "ask",
        parents=[common],
        help="answer a question from the facts, without a model",
        description="Exit code 0 for an honest answer, that nothing is held too: see `ending` of "
        "--json. 2 if the question cannot be used, 3 if the profile is wrong, 4 if no store is up.",
    )
    ask.add_argument("question")
    ask.add_argument("--reference-date", help="the day that counts as today, as 2026-11-21")
    ask.add_argument("--json", action="store_true", help="print JSON")
    ask.set_defaults(run=later("metrics", "ask"))
    _semantic_models(parts)


def _semantic_models(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    whole = parts.add_parser("model", help="look after semantic models of a warehouse")
    verbs = whole.add_subparsers(metavar="COMMAND", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--dialect", default="duckdb", help="SQL of the engine (default: duckdb)")
    lint = verbs.add_parser(
        "lint",
        parents=[common],
        help="say what is wrong with models, by place",
        description="Reads Apache Ossie (YAML, JSON) and dbt's target/semantic_manifest.json. Exit "
        "code 1 if anything cannot be used.",
    )
    lint.add_argument("files", nargs="+", metavar="FILE")
    lint.add_argument("--json", action="store_true", help="print JSON")
    lint.set_defaults(run=later("metrics_models", "lint"))
    show = verbs.add_parser(
        "show", parents=[common], help="print metrics, or one with its dimensions and joins"
    )
    show.add_argument("file", metavar="FILE")
    show.add_argument("metric", nargs="?", help="code or label of a metric")
    show.set_defaults(run=later("metrics_models", "show"))
    draft = verbs.add_parser(
        "draft",
        help="draft a model from the tables of an engine",
        description="Takes keys and comments as the database tells them, and guesses the rest from "
        "names and values; every guess is marked in the file.",
    )
    draft.add_argument("url", help="as duckdb:PATH, sqlite:PATH or postgresql://HOST/DATABASE")
    draft.add_argument("-o", "--output", help="file to write (default: standard output)")
    draft.add_argument("--force", action="store_true", help="overwrite what is there")
    draft.set_defaults(run=later("metrics_models", "draft"))


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: use 0 to 65535")
    return int(text)
