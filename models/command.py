"""`models VERB`: the policies of learned schemes. A verb's module is imported once its options are understood."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, at_least, count, existing_folder, generator_seed


def main(arguments: Sequence[str], *, prog: str = "nuwa models") -> int:
    """The verb's exit code."""
    options = _parser(prog).parse_args(arguments)
    code: int = import_module(options.module).run(options)
    return code


def add_policies_option(parser: argparse.ArgumentParser) -> None:
    """Where policies are looked for first."""
    where = "where policies are taken from if they are there, such as .build/train/owl/seed-1; others as shipped"
    parser.add_argument("--policies", type=existing_folder, metavar="FOLDER", help=where)


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(prog=prog, description="The policies of learned schemes.")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name: str, module: str, text: str) -> argparse.ArgumentParser:
        command = verbs.add_parser(name, help=text, description=text.capitalize() + ".")
        command.set_defaults(module=module)
        return command

    check = verb("check", "models.policies.check", "say in JSON which learned schemes lack a policy, and why")
    check.add_argument("schemes", nargs="*", metavar="SCHEME", help="without any: all that have a policy")
    add_policies_option(check)
    verb("table", "models.evaluation.table", "print README's table of all policies, from recipes and cards")
    evaluate = verb("evaluate", "models.evaluation.evaluate", "play a shipped policy beside its rivals")
    evaluate.add_argument("name", metavar="NAME", help="a policy")
    evaluate.add_argument(
        "--split", choices=("test", "validation"), default="test", help="of scenarios (default: %(default)s)"
    )
    evaluate.add_argument("--json", action="store_true", help="print the comparison as JSON instead of tables")
    renew = verb(
        "renew", "models.evaluation.renew", "measure policies again, and write results and pages of their cards"
    )
    renew.add_argument("names", metavar="NAME", nargs="+", help="policies of models/policies")
    describe = verb("describe", "models.policies.metadata", "write what a card says of a model into the model, too")
    describe.add_argument("names", metavar="NAME", nargs="*", help="policies; without any: all")
    whiskers = verb("whiskers", "models.whiskers.command", "make the whisker tree of the scheme tao by Remy's search")
    whiskers.add_argument(
        "--minutes", type=at_least(0.0), default=10.0, help="how long it searches (default: %(default)g)"
    )
    whiskers.add_argument("--scenarios", type=count, default=16, help="that it plays (default: %(default)s)")
    whiskers.add_argument("--seed", type=generator_seed, default=1, help="of the scenarios (default: %(default)s)")
    whiskers.add_argument(
        "--output", type=Path, default=Path(".build/whiskers/tao.json"), help="the file (default: %(default)s)"
    )
    imports = verb("import", "models.policies.import_weights", "turn published weights that you bring into a policy")
    imports.add_argument("system", choices=("aurora", "indigo", "orca"), help="whose weights")
    imports.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help=".npz of numpy, or Indigo's model.data-00000-of-00001"
    )
    imports.add_argument(
        "--folder", type=Path, default=Path(".build/imported"), help="where it is written (default: %(default)s)"
    )
    for command in (evaluate, renew, describe):
        command.add_argument("--folder", type=existing_folder, help="where policies lie (default: as they are shipped)")
    return parser
