"""Create test: the tests in other languages are run as they are."""

import os
import subprocess
import tempfile

from glance import fits, live, tool
from report import Mismatch, expect as expect_equal, expect_that

# Each has its own place in a literal of the language, or would end it.
HOSTILE = 'a"""``` \\###(1) \\u0041 ${1} %s $1 {x}\u202e\u2028\u0000\u00a0 日本 😀 \U000e0041'

# Stands for JUnit, of which the test needs these two names.
JUNIT = {
    "org/junit/jupiter/api/Test.java": "package org.junit.jupiter.api; import java.lang.annotation.*;"
    " @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    "org/junit/jupiter/api/Assertions.java": "package org.junit.jupiter.api; public class Assertions {"
    " public static void assertEquals(Object a, Object b, String text) {"
    " if (!a.equals(b)) throw new AssertionError(text); } }",
    "Main.java": "public class Main { public static void main(String[] none) throws Exception {"
    " new PushArrivesTest().pushArrives(); } }",
}

# The languages: the name of the file, other files beside it, and the command that runs the test.
LANGUAGES = {
    "Python": ("test_push.py", {}, ["python3", "-c", "import test_push; test_push.test_push_arrives()"]),
    "Node": ("push.test.mjs", {}, ["node", "--test"]),
    "Go": ("push_test.go", {"go.mod": "module example.com/push\n"}, ["go", "test", "-count=1", "./..."]),
    "Java": ("PushArrivesTest.java", JUNIT, ["java", "-cp", ".", "Main"]),
}


def snippet_cases(scene):
    with scene.test("Create test: the tests in other languages pass, and fail with the report") as visit:
        record = scene.push(payload={"aps": {"alert": {"title": HOSTILE, "body": "x"}}, "orderId": 17})
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Create test…").click()
        test = page.get_by_role("dialog", name="Create test")
        texts = {}
        for name in LANGUAGES:
            test.get_by_role("radio", name=name, exact=True).check()
            region = test.get_by_role("region", name="Verification", exact=True)
            texts[name] = region.locator("code").evaluate("(code) => code.textContent")
            hidden = [one for one in texts[name] if not one.isprintable() and one not in "\n\t"]
            expect_equal(f"invisible characters in {name}", [], hidden)
        fits(page)
        for name, text in texts.items():
            result = run(name, text)
            expect_equal(f"exit code of {name}: {result.stdout}{result.stderr}", 0, result.returncode)
        expect_equal("verifications", len(LANGUAGES), len(scene.api.push(record["id"])["verifiedBy"]))
        if scene.is_narrow:
            return
        for name, text in texts.items():
            broken = text.replace('"within": "5s"', '"within": "0s"').replace('"com.example.app"', '"com.example.other"')
            result = run(name, broken)
            expect_that(result.returncode != 0, f"exit code of the broken {name}", "a failure", result.returncode)
            expect_that("com.example.app" in result.stdout + result.stderr, name, "the report", result.stdout + result.stderr)


def run(name, text):
    """Runs a test in a directory of its own."""
    file, others, command = LANGUAGES[name]
    with tempfile.TemporaryDirectory(prefix="mock-apns-snippet.") as directory:
        for path, content in {**others, file: text}.items():
            path = os.path.join(directory, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(content)
        environment = {**os.environ, "no_proxy": "*", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
        options = {"cwd": directory, "env": environment, "capture_output": True, "text": True, "timeout": 240, "check": False}
        if name == "Java":
            compiled = subprocess.run(["javac", "-encoding", "UTF-8", "Main.java", file], **options)
            if compiled.returncode:
                raise Mismatch("javac", 0, compiled.stderr)
        return subprocess.run(command, **options)
