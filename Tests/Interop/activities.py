"""docs/live-activities.md, as it is printed: its commands are run in one shell, and their outputs are compared."""

import os
import re
import subprocess

from mock_apns import LAST_RESORT
from report import expect

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "live-activities.md")
# A block of commands, and the output that follows it, if any.
STEP = re.compile(r"```sh\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.S)
MARK = "=== end of the step ==="


def activity_cases(context):
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    steps = STEP.findall(document)
    with context.report.case("activities: the commands of docs/live-activities.md print what it says"):
        outputs = run(context, [commands for commands, _ in steps])
        if os.environ.get("MOCK_APNS_WRITE_GOLDEN"):
            write(document, outputs)
            return
        for (commands, printed), output in zip(steps, outputs, strict=True):
            expect(commands.strip().splitlines()[0], printed, output)


def run(context, blocks):
    """The output of each block. All run in one shell, because functions and variables are used later."""
    binary = context.server.program[-1]
    script = f"set -eu\nmock-apns() {{ '{binary}' \"$@\"; }}\n" + "".join(f"{block}\necho '{MARK}'\n" for block in blocks)
    environment = {**os.environ, "MOCK_APNS_API": context.server.api, "COLUMNS": "120"}
    done = subprocess.run(
        ["bash"], input=script, cwd=context.directory, env=environment, capture_output=True, text=True,
        timeout=LAST_RESORT, check=False,
    )
    expect(f"exit code of the commands, which wrote {done.stderr!r}", 0, done.returncode)
    # How long a verification took is another each time.
    return re.sub(r"in \d+ ms", "in 0 ms", done.stdout).split(f"{MARK}\n")[:-1]


def write(document, outputs):
    """Writes the outputs anew, where the document has one."""
    rest = iter(outputs)

    def renewed(step):
        output = next(rest)
        return step[0] if step[2] is None else f"```sh\n{step[1]}```\n\n```text\n{output}```\n"

    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(STEP.sub(renewed, document))
